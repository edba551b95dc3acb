/**
 * Maintains the relay's own certificates while the server runs: follows changes of their Secrets, and reports when each
 * expires.
 */

import { coalesced } from '@meshrelay/concurrency';
import { type KindWatch, type KubeConnection, watchSecret } from '@meshrelay/kube';
import { NEXT_ROOT_SECRET, readCertificates } from '@meshrelay/pki';
import { ROOT_SECRET, SERVER_SECRET, SIGNING_SECRET } from '@meshrelay/relay-core';
import type { GaugeMetric, Logger } from '@meshrelay/telemetry';
import type { RelayAuthorities } from './authorities.ts';

export interface CertificateUpkeepOptions {
  readonly connection: KubeConnection;
  readonly namespace: string;
  readonly authorities: RelayAuthorities;
  /** Reads the Secrets again and renews certificates that are due. */
  readonly load: () => Promise<RelayAuthorities>;
  readonly expiry: GaugeMetric<'certificate'>;
  readonly now: () => Date;
  readonly logger: Logger;
}

/** Milliseconds between two checks of expiry. */
const PERIOD = 3_600_000;
const DAY = 86_400_000;
/** Days before expiry from which each check logs a warning. */
const WARN_DAYS = 30;

export class CertificateRotator implements AsyncDisposable {
  readonly #options: CertificateUpkeepOptions;
  readonly #timer: NodeJS.Timeout;
  readonly #watches: readonly KindWatch[];
  readonly #listeners = new Set<(authorities: RelayAuthorities) => void>();
  #current: RelayAuthorities;

  constructor(options: CertificateUpkeepOptions) {
    const { connection, namespace, authorities } = options;
    this.#options = options;
    this.#current = authorities;
    this.#announce(authorities);
    this.#timer = setInterval(() => void this.check(), PERIOD);
    this.#timer.unref();
    const own = [ROOT_SECRET, SIGNING_SECRET, SERVER_SECRET, NEXT_ROOT_SECRET];
    const names = new Set([...own, ...authorities.clientIssuers.map(({ secretName }) => secretName)]);
    this.#watches = [...names].map((name) =>
      watchSecret(connection, { namespace, name, changed: () => void this.check() }),
    );
  }

  /** The certificates in use. */
  get current(): RelayAuthorities {
    return this.#current;
  }

  /** Calls back when they have changed. @returns a function that unsubscribes */
  listen(listener: (authorities: RelayAuthorities) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** One check. Never rejects: the certificates in use stay if the Secrets cannot be read. */
  readonly check: () => Promise<void> = coalesced(() => this.#check());

  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#timer);
    this.#listeners.clear();
    await Promise.all(this.#watches.map((watch) => watch[Symbol.asyncDispose]()));
  }

  async #check(): Promise<void> {
    const { load, logger } = this.#options;
    try {
      const authorities = await load();
      if (isSame(authorities, this.#current)) return;
      this.#announce(authorities);
      this.#current = authorities;
      for (const listener of this.#listeners) listener(authorities);
      logger.info('the relay certificates have changed; new connections use the new ones');
    } catch (error) {
      logger.error('the relay certificates cannot be read; those in use stay', { error });
    }
  }

  #announce({ tls, signing, roots, clientIssuers }: RelayAuthorities): void {
    const { expiry, logger, now } = this.#options;
    const [server] = readCertificates(tls.certificate, 'server certificate', { max: 10, allowText: true });
    const ends = {
      root: earliest(roots.roots.map(({ notAfter }) => notAfter)),
      signing: signing.certificate.notAfter,
      server: server?.notAfter,
      'client-ca': earliest(clientIssuers.flatMap(({ trusted }) => trusted.roots.map(({ notAfter }) => notAfter))),
    };
    for (const [certificate, end] of Object.entries(ends)) {
      if (end === undefined) continue;
      expiry.set(end.getTime() / 1000, { certificate });
      if (end.getTime() - now().getTime() < WARN_DAYS * DAY)
        logger.warn('a relay certificate expires soon; replace its Secret', {
          certificate,
          expires: end.toISOString(),
        });
    }
  }
}

function isSame(a: RelayAuthorities, b: RelayAuthorities): boolean {
  const text = ({ tls, rootsPem, signingPem, clientIssuers, rotating }: RelayAuthorities): string =>
    JSON.stringify([tls, rootsPem, signingPem, clientIssuers.map(({ trusted }) => trusted.hash), rotating]);
  return text(a) === text(b);
}

function earliest(dates: readonly Date[]): Date | undefined {
  return dates.toSorted((a, b) => a.getTime() - b.getTime())[0];
}
