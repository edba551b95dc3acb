/** Secrets of one namespace; only here their data is decoded to text. */
import { Buffer } from 'node:buffer';
import type { KubeObject } from '@meshrelay/api';
import { OWNER_LABEL, type ResourceKind } from '@meshrelay/relay-core';
import type { KubeConnection } from '../connect/kube-connection.ts';
import { isKubeError } from '../errors.ts';

export const secretKind: ResourceKind = {
  group: '',
  version: 'v1',
  kind: 'Secret',
  plural: 'secrets',
  namespaced: true,
};

/** A Secret's data as text. */
export type SecretData = Readonly<Record<string, string>>;

/** A Secret that was read. */
export interface StoredSecret {
  readonly name: string;
  readonly data: SecretData;
  /** Whether {@link Secrets.ensure} created it, and so may recreate it. */
  readonly managed: boolean;
  /** With the version that a replacement must name. */
  readonly object: KubeObject;
}

/** Metadata of the Secret. */
export interface SecretNotes {
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
}

/** Retries of a write that lost a race. */
const ATTEMPTS = 8;

/** All methods reject with KubeError. */
export class Secrets {
  readonly #connection: KubeConnection;
  readonly #namespace: string;

  constructor(connection: KubeConnection, namespace: string) {
    this.#connection = connection;
    this.#namespace = namespace;
  }

  /** The Secret, or undefined if it does not exist. */
  async read(name: string): Promise<StoredSecret | undefined> {
    const object = await this.#connection.objects(secretKind).read({ namespace: this.#namespace, name });
    return object === undefined ? undefined : stored(object);
  }

  /** Creates it. @throws KubeError RELAY_E_KUBE_EXISTS if there is one */
  async create(name: string, data: SecretData, notes: SecretNotes = {}): Promise<StoredSecret> {
    const metadata = { name, namespace: this.#namespace, ...notes };
    const object = { apiVersion: 'v1', kind: 'Secret', metadata, type: 'Opaque', data: encoded(data) };
    return stored(await this.#connection.objects(secretKind).create(object as unknown as KubeObject));
  }

  /** Replaces the data that was read, unless it changed meanwhile. @throws KubeError RELAY_E_KUBE_CONFLICT */
  async replace(
    { object }: StoredSecret,
    data: SecretData,
    { annotations }: Pick<SecretNotes, 'annotations'> = {},
  ): Promise<StoredSecret> {
    const { metadata } = object;
    const noted =
      annotations === undefined ? metadata : { ...metadata, annotations: { ...metadata.annotations, ...annotations } };
    const changed = { ...object, metadata: noted, data: encoded(data) } as KubeObject;
    return stored(await this.#connection.objects(secretKind).replace(changed));
  }

  /** The Secret; the first process creates a missing one with the owner label. */
  async ensure(name: string, make: () => Promise<SecretData>): Promise<StoredSecret> {
    const found = await this.read(name);
    if (found !== undefined) return found;
    try {
      return await this.create(name, await make(), { labels: { [OWNER_LABEL]: this.#namespace } });
    } catch (error) {
      if (!isKubeError(error, 'RELAY_E_KUBE_EXISTS')) throw error;
      const other = await this.read(name);
      if (other === undefined) throw error;
      return other;
    }
  }

  /**
   * Changes the data by compare-and-swap, and creates a missing Secret: concurrent writers succeed one after another.
   */
  async update(
    name: string,
    change: (before: SecretData) => SecretData,
    notes: Pick<SecretNotes, 'annotations'> = {},
  ): Promise<StoredSecret> {
    for (let attempt = 1; ; attempt += 1) {
      const before = await this.read(name);
      try {
        if (before === undefined) return await this.create(name, change({}), notes);
        return await this.replace(before, change(before.data), notes);
      } catch (error) {
        const lostRace = isKubeError(error, 'RELAY_E_KUBE_CONFLICT') || isKubeError(error, 'RELAY_E_KUBE_EXISTS');
        if (!lostRace || attempt >= ATTEMPTS) throw error;
      }
    }
  }

  /** Deletes the Secret that was read; a replacement created since stays. */
  async delete({ name, object }: StoredSecret): Promise<void> {
    const { uid } = object.metadata;
    try {
      await this.#connection.objects(secretKind).delete({ namespace: this.#namespace, name }, { expected: { uid } });
    } catch (error) {
      if (!isKubeError(error, 'RELAY_E_KUBE_CONFLICT')) throw error;
    }
  }
}

function stored(object: KubeObject): StoredSecret {
  const { metadata, data = {} } = object as KubeObject & { readonly data?: SecretData };
  const text = Object.entries(data).map(([field, value]) => [field, Buffer.from(value, 'base64').toString('utf8')]);
  const managed = metadata.labels?.[OWNER_LABEL] === metadata.namespace;
  return { name: metadata.name, data: Object.fromEntries(text) as SecretData, managed, object };
}

function encoded(data: SecretData): SecretData {
  return Object.fromEntries(
    Object.entries(data).map(([field, value]) => [field, Buffer.from(value).toString('base64')]),
  );
}
