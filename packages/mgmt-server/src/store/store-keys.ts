/** The keys that what is in Redis is sealed with: a Secret of the management namespace, made at the first start where there is none. */
import { Buffer } from 'node:buffer';
import { randomBytes } from 'node:crypto';
import type { Secrets } from '@meshrelay/kube';
import { STORE_KEY_BYTES } from '@meshrelay/store';

export const STORE_KEY_SECRET = 'relay-store-key-secret';
/** Seals, and opens. */
const KEY = 'key';
/** Opens only: the one before, or the one to come. */
const SECOND_KEY = 'second-key';

/** The keys, that which seals first. @throws KubeError, or Error that names the Secret and its field */
export async function loadStoreKeys(secrets: Secrets): Promise<readonly Uint8Array[]> {
  const make = async (): Promise<Record<string, string>> => ({
    [KEY]: randomBytes(STORE_KEY_BYTES).toString('base64'),
  });
  const { data } = await secrets.ensure(STORE_KEY_SECRET, make);
  const second = data[SECOND_KEY];
  return [
    readKey(KEY, data[KEY] ?? ''),
    ...(second === undefined || second === '' ? [] : [readKey(SECOND_KEY, second)]),
  ];
}

function readKey(field: string, text: string): Uint8Array {
  const bytes = Buffer.from(text.trim(), 'base64');
  if (bytes.byteLength !== STORE_KEY_BYTES || !/^[A-Za-z0-9+/=]+$/.test(text.trim()))
    throw new Error(
      `Secret ${STORE_KEY_SECRET}: ${field} must be ${STORE_KEY_BYTES} random bytes in base64 (openssl rand -base64 ${STORE_KEY_BYTES}); delete the Secret to have one made`,
    );
  return bytes;
}
