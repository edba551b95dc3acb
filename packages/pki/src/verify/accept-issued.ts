/** The requester's side of issuing: a certificate that came back is used only when it is what was asked for. */
import { Buffer } from 'node:buffer';
import type { KeyObject } from 'node:crypto';
import type { TrustBundle } from '../certificate/trust-bundle.ts';
import { publicKeyDer } from '../key/private-key.ts';
import { type SpiffeId, spiffeIdParts } from '../spiffe/spiffe-id.ts';
import { refuse, type VerifyFailure } from './verify-failure.ts';
import { type VerifiedPeer, verifyPeer } from './verify-peer.ts';

/** What came back, and what it must match. */
export interface AcceptOptions {
  readonly chainPem: string;
  readonly roots: TrustBundle;
  /** The key the request was made with. */
  readonly key: KeyObject;
  readonly identity: SpiffeId;
  readonly now: Date;
  /** Days after its end in which it is accepted all the same: to be renewed, and for nothing else. */
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
