/**
 * Secret of the agent's identity. Keys and requests are stored before anything is sent. After a crash the agent sends
 * the same request again, and the server treats it as a repetition.
 */

import type { KeyObject } from 'node:crypto';
import type { SecretData, Secrets, StoredSecret } from '@meshrelay/kube';
import { createCsr, readPrivateKey, type SpiffeId, writePrivateKey } from '@meshrelay/pki';
import { CLIENT_SECRET } from '@meshrelay/relay-core';

/** A key and the request for its certificate. PEM. */
export interface PendingRequest {
  readonly key: string;
  readonly csrPem: string;
}

/** Response to a request. */
export interface Received {
  readonly certificatePem: string;
  readonly rootsPem: string;
}

/**
 * Location of a pending request: the first one has the keys of the future certificate, a renewal is stored next to the
 * one in use.
 */
type SecretSlot = 'tls' | 'next';

export class ClientSecret {
  readonly #secrets: Secrets;
  readonly #identity: SpiffeId;
  readonly #makeKey: () => Promise<KeyObject>;

  constructor(secrets: Secrets, identity: SpiffeId, makeKey: () => Promise<KeyObject>) {
    this.#secrets = secrets;
    this.#identity = identity;
    this.#makeKey = makeKey;
  }

  /** Undefined if the Secret does not exist. */
  read(): Promise<StoredSecret | undefined> {
    return this.#secrets.read(CLIENT_SECRET);
  }

  /** Returns the stored request, or stores a new one: alone, or next to the existing certificate. */
  async request(found: StoredSecret | undefined): Promise<{ stored: StoredSecret; request: PendingRequest }> {
    const place = found?.data['tls.crt'] === undefined ? 'tls' : 'next';
    const pending = pendingIn(found, place);
    if (found !== undefined && pending !== undefined) return { stored: found, request: pending };
    const request = await this.#newRequest();
    const data = { [`${place}.key`]: request.key, [`${place}.csr`]: request.csrPem };
    const stored =
      found === undefined
        ? await this.#secrets.create(CLIENT_SECRET, data)
        : await this.#secrets.replace(found, place === 'tls' ? data : { ...found.data, ...data });
    return { stored, request };
  }

  /** Replaces certificate and key in one write. @throws KubeError RELAY_E_KUBE_CONFLICT */
  store(stored: StoredSecret, data: SecretData): Promise<StoredSecret> {
    return this.#secrets.replace(stored, data);
  }

  async #newRequest(): Promise<PendingRequest> {
    const key = await this.#makeKey();
    return { key: writePrivateKey(key), csrPem: await createCsr({ key, uri: this.#identity }) };
  }
}

/** Data of the Secret for a response. */
export function clientData({ key }: PendingRequest, { certificatePem, rootsPem }: Received, roots: string): SecretData {
  return { 'tls.key': key, 'tls.crt': certificatePem, 'ca.crt': rootsPem || roots };
}

function pendingIn(stored: StoredSecret | undefined, place: SecretSlot): PendingRequest | undefined {
  const { [`${place}.key`]: key, [`${place}.csr`]: csrPem } = stored?.data ?? {};
  if (key === undefined || csrPem === undefined) return undefined;
  try {
    readPrivateKey(key);
    return { key, csrPem };
  } catch {
    // Whatever the reason, a new key replaces it.
    return undefined;
  }
}
