/** Secrets of the management namespace that this program keeps things in. */
import { Buffer } from 'node:buffer';
import type { KubeObject } from '@meshrelay/api';
import { isKubeError, type KubeConnection } from '@meshrelay/kube';
import { OWNER_LABEL } from '@meshrelay/relay-core';
import { SECRET } from '../input/secret.ts';

/** A Secret's data as text. */
export type SecretData = Readonly<Record<string, string>>;

/** A Secret as it was read. */
export interface StoredSecret {
  readonly name: string;
  readonly data: SecretData;
  /** Whether this program made it, and so may make it anew. */
  readonly ours: boolean;
  /** With the version a replacement must name. */
  readonly object: KubeObject;
}

export class Secrets {
  readonly #connection: KubeConnection;
  readonly #namespace: string;

  constructor(connection: KubeConnection, namespace: string) {
    this.#connection = connection;
    this.#namespace = namespace;
  }

  /** @throws KubeError */
  async read(name: string): Promise<StoredSecret | undefined> {
    const object = await this.#connection.objects(SECRET).read({ namespace: this.#namespace, name });
    return object === undefined ? undefined : stored(object);
  }

  /** The Secret; made where there is none, by whichever replica is first. @throws KubeError */
  async ensure(name: string, make: () => Promise<SecretData>): Promise<StoredSecret> {
    const found = await this.read(name);
    if (found !== undefined) return found;
    const metadata = { name, namespace: this.#namespace, labels: { [OWNER_LABEL]: this.#namespace } };
    const object = { apiVersion: 'v1', kind: 'Secret', metadata, type: 'Opaque', data: encoded(await make()) };
    try {
      return stored(await this.#connection.objects(SECRET).create(object as unknown as KubeObject));
    } catch (error) {
      if (!isKubeError(error, 'RELAY_E_KUBE_EXISTS')) throw error;
      const other = await this.read(name);
      if (other === undefined) throw error;
      return other;
    }
  }

  /** Puts other data in the place of a Secret's, if nobody was faster. @throws KubeError RELAY_E_KUBE_CONFLICT */
  async replace({ object }: StoredSecret, data: SecretData): Promise<StoredSecret> {
    return stored(await this.#connection.objects(SECRET).replace({ ...object, data: encoded(data) } as KubeObject));
  }
}

/** The value under a key. @throws Error that says what to do */
export function required({ name, data }: StoredSecret, field: string): string {
  const value = data[field];
  if (value === undefined || value === '')
    throw new Error(`Secret ${name} has no key ${field}; add it, or delete the Secret to have it made anew`);
  return value;
}

function stored(object: KubeObject): StoredSecret {
  const { metadata, data = {} } = object as KubeObject & { readonly data?: SecretData };
  const text = Object.entries(data).map(([field, value]) => [field, Buffer.from(value, 'base64').toString('utf8')]);
  const ours = metadata.labels?.[OWNER_LABEL] === metadata.namespace;
  return { name: metadata.name, data: Object.fromEntries(text) as SecretData, ours, object };
}

function encoded(data: SecretData): SecretData {
  return Object.fromEntries(
    Object.entries(data).map(([field, value]) => [field, Buffer.from(value).toString('base64')]),
  );
}
