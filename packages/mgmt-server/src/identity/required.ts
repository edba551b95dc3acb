/** What a Secret must have. */
import type { StoredSecret } from '@meshrelay/kube';

/** The value under a key. @throws Error that says what to do */
export function required({ name, data }: Pick<StoredSecret, 'name' | 'data'>, field: string): string {
  const value = data[field];
  if (value === undefined || value === '')
    throw new Error(`Secret ${name} has no key ${field}; add it, or delete the Secret to have it made anew`);
  return value;
}
