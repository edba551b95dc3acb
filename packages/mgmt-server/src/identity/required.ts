/** Required data of a Secret. */
import type { StoredSecret } from '@meshrelay/kube';
import { PkiError } from '@meshrelay/pki';

/** The value under a key. @throws PkiError */
export function required({ name, data }: Pick<StoredSecret, 'name' | 'data'>, field: string): string {
  const value = data[field];
  if (value === undefined || value === '')
    throw new PkiError('RELAY_E_PKI_MALFORMED', `Secret ${name} has no key ${field}`, {
      next: 'Add it, or delete the Secret so that the server recreates it.',
    });
  return value;
}
