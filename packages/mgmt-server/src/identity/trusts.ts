/**
 * Sends agents their trusted roots and the renewal time, and records the roots of each agent: the rotation of the CA
 * waits for them.
 */
import { keyHashOf } from '@meshrelay/pki';
import type { Caller, TrustRequest, TrustResponse } from '@meshrelay/relay-protocol';
import { type AgentPeers, accepted } from './agent-peers.ts';
import type { RelayAuthorities } from './authorities.ts';
import type { StoredCertificates } from './stored-certificates.ts';

export interface TrustsOptions {
  readonly authorities: () => RelayAuthorities;
  readonly peers: Pick<AgentPeers, 'verify'>;
  readonly certificates: Pick<StoredCertificates, 'change' | 'present'>;
}

/** Seconds until an agent asks again: while roots are rotated, and otherwise. */
const SOON = 5;
const LATER = 300;
const HASH = /^[0-9a-f]{64}$/;

export class Trusts {
  readonly #options: TrustsOptions;

  constructor(options: TrustsOptions) {
    this.#options = options;
  }

  /** Answers an agent that reports its roots. @throws RelayError */
  async answer({ bundle }: TrustRequest, { cluster, credential }: Caller): Promise<TrustResponse> {
    const { authorities, peers, certificates } = this.#options;
    const { roots, rootsPem, signing, rotating } = authorities();
    // Tokens and certificates of other issuers do not change when the relay's CA is replaced.
    const peer = credential.kind === 'token' ? undefined : accepted(await peers.verify(credential.pem));
    const issuer = peer?.managed === true ? peer.facts.issuer : undefined;
    if (HASH.test(bundle)) {
      const book = await certificates.present();
      // Most agents report the same roots as before, and nothing is written.
      if (book.acknowledge(cluster, bundle, issuer) !== book)
        await certificates.change((now) => now.acknowledge(cluster, bundle, issuer));
    }
    return {
      rootsPem: bundle === roots.hash ? '' : rootsPem,
      renew: issuer !== undefined && issuer !== keyHashOf(signing.certificate),
      seconds: rotating ? SOON : LATER,
    };
  }
}
