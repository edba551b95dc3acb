/** The Secrets an agent is told by and keeps its identity in. Their data is text here and nowhere else. */
import { Buffer } from 'node:buffer';
import type { KubeObject } from '@meshrelay/api';
import { isKubeError, type KubeConnection } from '@meshrelay/kube';
import { SECRET } from '../input/kinds.ts';

/** `ca.crt`: the roots that vouch for the server. */
export const ROOT_SECRET = 'relay-root-tls-secret';
/** `token`: what buys the first certificate. */
export const TOKEN_SECRET = 'relay-identity-token-secret';
/** `tls.key`, `tls.crt`, `ca.crt`: the agent's identity. While one is asked for: `tls.key` and `tls.csr`. */
export const CLIENT_SECRET = 'relay-client-tls-secret';

export type SecretData = Readonly<Record<string, string>>;

/** A Secret as it was read. */
export interface StoredSecret {
  readonly data: SecretData;
  readonly uid: string | undefined;
  readonly resourceVersion: string | undefined;
}

/** Secrets of one namespace. */
export class AgentSecrets {
  readonly #connection: KubeConnection;
  readonly #namespace: string;

  constructor(connection: KubeConnection, namespace: string) {
    this.#connection = connection;
    this.#namespace = namespace;
  }

  async read(name: string): Promise<StoredSecret | undefined> {
    const secret = await this.#connection.objects(SECRET).read({ namespace: this.#namespace, name });
    if (secret === undefined) return undefined;
    const { data = {} } = secret as KubeObject & { readonly data?: SecretData };
    const { uid, resourceVersion } = secret.metadata;
    const decoded = Object.entries(data).map(([key, value]) => [key, Buffer.from(value, 'base64').toString('utf8')]);
    return { data: Object.fromEntries(decoded), uid, resourceVersion };
  }

  /**
   * Stores all data in one write: creates the Secret, or replaces the one that was read.
   * @throws KubeError RELAY_E_KUBE_CONFLICT or RELAY_E_KUBE_EXISTS when somebody else was faster
   */
  async write(name: string, data: SecretData, before: StoredSecret | undefined): Promise<StoredSecret> {
    const encoded = Object.entries(data).map(([key, value]) => [key, Buffer.from(value).toString('base64')]);
    const version = before?.resourceVersion;
    const secret = {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name, namespace: this.#namespace, ...(version !== undefined && { resourceVersion: version }) },
      type: 'Opaque',
      data: Object.fromEntries(encoded),
    } as unknown as KubeObject;
    const secrets = this.#connection.objects(SECRET);
    const { metadata } = await (before === undefined ? secrets.create(secret) : secrets.replace(secret));
    return { data, uid: metadata.uid, resourceVersion: metadata.resourceVersion };
  }

  /** Deletes the Secret that was read; one that has taken its place since stays. */
  async delete(name: string, { uid }: StoredSecret): Promise<void> {
    try {
      await this.#connection.objects(SECRET).delete({ namespace: this.#namespace, name }, { expected: { uid } });
    } catch (error) {
      if (!isKubeError(error, 'RELAY_E_KUBE_CONFLICT')) throw error;
    }
  }
}
