/** Secrets, with their data as text. */
import { Buffer } from 'node:buffer';
import type { KubeObject } from '@meshrelay/api';
import { isKubeError, type KubeConnection } from '@meshrelay/kube';
import { SECRET } from './kinds.ts';

export type SecretData = Readonly<Record<string, string>>;

export interface SecretName {
  readonly namespace: string;
  readonly name: string;
}

/** How often a write that lost a race is made again. */
const ATTEMPTS = 8;

/** The data of a Secret, or undefined where there is none. */
export async function readSecret(connection: KubeConnection, key: SecretName): Promise<SecretData | undefined> {
  const secret = await connection.objects(SECRET).read(key);
  return secret === undefined ? undefined : dataOf(secret);
}

/** Changes the data of a Secret by compare-and-swap, and makes it where there is none. */
export async function changeSecret(
  connection: KubeConnection,
  key: SecretName,
  change: (before: SecretData) => SecretData,
): Promise<void> {
  const secrets = connection.objects(SECRET);
  for (let attempt = 1; ; attempt += 1) {
    const before = await secrets.read(key);
    try {
      if (before === undefined) await secrets.create(secretOf(key, change({})));
      else await secrets.replace({ ...before, data: encoded(change(dataOf(before))) } as unknown as KubeObject);
      return;
    } catch (error) {
      const lostRace = isKubeError(error, 'RELAY_E_KUBE_CONFLICT') || isKubeError(error, 'RELAY_E_KUBE_EXISTS');
      if (!lostRace || attempt >= ATTEMPTS) throw error;
    }
  }
}

function secretOf({ namespace, name }: SecretName, data: SecretData): KubeObject {
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name, namespace },
    type: 'Opaque',
    data: encoded(data),
  } as unknown as KubeObject;
}

function dataOf(secret: KubeObject): SecretData {
  const { data = {} } = secret as KubeObject & { readonly data?: SecretData };
  return Object.fromEntries(
    Object.entries(data).map(([name, value]) => [name, Buffer.from(value, 'base64').toString('utf8')]),
  );
}

function encoded(data: SecretData): SecretData {
  return Object.fromEntries(Object.entries(data).map(([name, value]) => [name, Buffer.from(value).toString('base64')]));
}
