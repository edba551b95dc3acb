/** Ends open streams whose credential is no longer valid: revoked, expired, or of a CA that was dropped. */
import { clearInterval, setInterval } from 'node:timers';
import { setImmediate as turn } from 'node:timers/promises';
import { coalesced } from '@meshrelay/concurrency';
import { type CertificateFacts, certificateFacts, readCertificates } from '@meshrelay/pki';
import { RelayError, type RelaySession } from '@meshrelay/relay-protocol';
import type { Logger } from '@meshrelay/telemetry';
import type { AuditLog } from '../audit/audit.ts';
import { revoked } from './agent-issuer.ts';
import type { AgentPeers } from './agent-peers.ts';
import type { AgentTokens } from './agent-tokens.ts';
import type { StoredCertificates } from './stored-certificates.ts';

export interface SessionGuardOptions {
  readonly sessions: () => readonly RelaySession[];
  readonly peers: Pick<AgentPeers, 'verify'>;
  readonly certificates: Pick<StoredCertificates, 'book'>;
  /** Undefined if no token is accepted. */
  readonly tokens: Pick<AgentTokens, 'problem'> | undefined;
  readonly audit: AuditLog;
  readonly now: () => Date;
  readonly logger: Logger;
}

/** Milliseconds between two checks of expiry. */
const PERIOD = 2_000;
/** Sessions that are fully verified before the event loop yields. */
const AT_ONCE = 10;

export class SessionGuard implements Disposable {
  readonly #options: SessionGuardOptions;
  readonly #timer: NodeJS.Timeout;
  readonly #facts = new WeakMap<RelaySession, CertificateFacts>();

  constructor(options: SessionGuardOptions) {
    this.#options = options;
    this.#timer = setInterval(() => this.check(), PERIOD);
    this.#timer.unref();
  }

  /** Checks every open stream against the deny list and the clock. */
  check(): void {
    for (const session of this.#options.sessions()) {
      const problem = this.#problem(session);
      if (problem !== undefined) this.#end(session, problem);
    }
  }

  /**
   * Verifies every open stream's certificate again, including its chain, because the roots have changed. Never rejects.
   */
  readonly recheck: () => Promise<void> = coalesced(async () => {
    const { sessions, peers, logger } = this.#options;
    for (const [index, session] of sessions().entries()) {
      if (index % AT_ONCE === AT_ONCE - 1) await turn();
      try {
        if (session.credential.kind !== 'certificate') continue;
        const peer = await peers.verify(session.credential.pem);
        if ('refused' in peer) this.#end(session, new RelayError('RELAY_E_UNAUTHENTICATED', peer.refused));
      } catch (error) {
        logger.warn('an open stream cannot be verified now; it stays open', { cluster: session.cluster, error });
      }
    }
  });

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
  }

  #problem(session: RelaySession): RelayError | undefined {
    const { certificates, tokens, now } = this.#options;
    const { cluster, credential } = session;
    if (credential.kind === 'token') return tokens?.problem(credential.id, cluster);
    if (credential.kind === 'in-process') return undefined;
    const facts = this.#factsOf(session, credential.pem);
    if (certificates.book?.verify(cluster, facts) === 'revoked') return revoked(cluster);
    return now() > facts.notAfter ? ended(cluster, facts.notAfter) : undefined;
  }

  #end(session: RelaySession, error: RelayError): void {
    const { cluster, stream, address: peer, credential } = session;
    const facts = credential.kind === 'certificate' ? this.#factsOf(session, credential.pem) : undefined;
    this.#options.audit.record({
      action: 'connect',
      outcome: 'refused',
      cluster,
      peer,
      ...(facts === undefined ? {} : { serial: facts.serial, keyHash: facts.keyHash }),
      reason: `${stream} stream: ${error.message}`,
    });
    session.close(error);
  }

  #factsOf(session: RelaySession, pem: string): CertificateFacts {
    const known = this.#facts.get(session);
    if (known !== undefined) return known;
    const [certificate] = readCertificates(pem, 'client certificate', { max: 1 });
    if (certificate === undefined) throw new Error('an open stream has no certificate, although the server checked it');
    const facts = certificateFacts(certificate);
    this.#facts.set(session, facts);
    return facts;
  }
}

function ended(cluster: string, notAfter: Date): RelayError {
  return new RelayError(
    'RELAY_E_UNAUTHENTICATED',
    `the certificate of cluster ${cluster} expired at ${notAfter.toISOString()}; connect again with a renewed one`,
  );
}
