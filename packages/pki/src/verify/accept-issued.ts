/** The requester's check of an issued certificate: it is used only if it matches the request. */
import { Buffer } from 'node:buffer';
import type { KeyObject } from 'node:crypto';
import type { TrustBundle } from '../certificate/trust-bundle.ts';
import { publicKeyDer } from '../key/private-key.ts';
import { type SpiffeId, spiffeIdParts } from '../spiffe/spiffe-id.ts';
import { refuse, type VerifyFailure } from './verify-failure.ts';
import { type VerifiedPeer, verifyPeer } from './verify-peer.ts';

/** The response, and the values it must match. */
export interface AcceptOptions {
  readonly chainPem: string;
  readonly roots: TrustBundle;
  /** The key of the request. */
  readonly key: KeyObject;
  readonly identity: SpiffeId;
  readonly now: Date;
  /** Days after its end in which it is still accepted, for renewal only. */
  readonly graceDays?: number;
}

/** Accepts an agent's certificate for exactly this key and this identity, from a trusted root, valid now. */
export function acceptIssued({
  chainPem,
  roots,
  key,
  identity,
  now,
  graceDays = 0,
}: AcceptOptions): VerifiedPeer | VerifyFailure {
  const { trustDomain } = spiffeIdParts(identity);
  const peer = verifyPeer({ purpose: 'agent', trustDomain, chain: chainPem, roots, now, graceDays });
  if (!peer.ok) return peer;
  if (peer.identity !== identity)
    return refuse('identity', `issued certificate: it is for ${peer.identity}, expected ${identity}`);
  if (!Buffer.from(publicKeyDer(key)).equals(peer.certificate.publicKey.der)) {
    return refuse('public-key', 'issued certificate: it is for another key than the request');
  }
  return peer;
}
