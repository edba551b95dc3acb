/**
 * The keys that seal values in Redis: a Secret of the management namespace, generated at the first start if missing,
 * and watched for changes.
 */
import { Buffer } from 'node:buffer';
import { randomBytes } from 'node:crypto';
import type { KubeConnection, SecretData, Secrets } from '@meshrelay/kube';
import { type RedisStore, STORE_KEY_BYTES } from '@meshrelay/store';
import type { Logger } from '@meshrelay/telemetry';
import { WatchedSecret } from '../identity/watched-secret.ts';

export const STORE_KEY_SECRET = 'relay-store-key-secret';
/** Seals and opens. */
const KEY = 'key';
/** Opens only: the previous key, or the next one. */
const SECOND_KEY = 'second-key';

/** The keys; the first one seals. @throws KubeError, or Error that names the Secret and its field */
export async function loadStoreKeys(secrets: Secrets): Promise<readonly Uint8Array[]> {
  const make = async (): Promise<Record<string, string>> => ({
    [KEY]: randomBytes(STORE_KEY_BYTES).toString('base64'),
  });
  return readKeys((await secrets.ensure(STORE_KEY_SECRET, make)).data);
}

export interface FollowedKeys {
  readonly connection: KubeConnection;
  readonly namespace: string;
  readonly store: Pick<RedisStore, 'rekey'>;
  /** The keys that the store was opened with. */
  readonly keys: readonly Uint8Array[];
  readonly logger: Logger;
}

/** Passes changed keys to the store. An unreadable or deleted Secret changes nothing. */
export function followStoreKeys({ connection, namespace, store, keys: opened, logger }: FollowedKeys): AsyncDisposable {
  const unknown = 'the keys of the store are not known';
  let known = textOf(opened);
  return new WatchedSecret({
    connection,
    namespace,
    name: STORE_KEY_SECRET,
    unknown,
    logger,
    read: (data) => {
      if (data === undefined)
        throw new Error(`Secret ${STORE_KEY_SECRET} was deleted; the next server that starts creates another`);
      const keys = readKeys(data);
      if (textOf(keys) !== known) {
        store.rekey(keys);
        logger.info('the keys of the store have changed', { object: `Secret ${STORE_KEY_SECRET}`, keys: keys.length });
      }
      known = textOf(keys);
      return keys;
    },
  });
}

/** Equal texts mean equal keys in the same order. */
function textOf(keys: readonly Uint8Array[]): string {
  return keys.map((key) => Buffer.from(key).toString('base64')).join();
}

function readKeys(data: SecretData): readonly Uint8Array[] {
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
      `Secret ${STORE_KEY_SECRET}: ${field} must be ${STORE_KEY_BYTES} random bytes in base64 (openssl rand -base64 ${STORE_KEY_BYTES}); delete the Secret so that the server creates one`,
    );
  return bytes;
}
