/** Looks after the relay's certificates while the server runs: serves a renewed one, and tells when each ends. */
import { readCertificates } from '@meshrelay/pki';
import type { RelayServer } from '@meshrelay/relay-protocol';
import type { GaugeMetric, Logger } from '@meshrelay/telemetry';
import type { RelayAuthorities } from './authorities.ts';

export interface CertificateUpkeepOptions {
  readonly relay: Pick<RelayServer, 'replaceTls'>;
  readonly authorities: RelayAuthorities;
  /** Reads the Secrets again, renewing what is due. */
  readonly load: () => Promise<RelayAuthorities>;
  readonly expiry: GaugeMetric<'certificate'>;
  readonly now: () => Date;
  readonly logger: Logger;
}

/** Milliseconds between two looks. */
const PERIOD = 3_600_000;
const DAY = 86_400_000;
/** Days before its end from which a certificate is warned of at every look. */
const WARN_DAYS = 30;

export class CertificateUpkeep implements Disposable {
  readonly #options: CertificateUpkeepOptions;
  readonly #timer: NodeJS.Timeout;
  #served: string;

  constructor(options: CertificateUpkeepOptions) {
    this.#options = options;
    this.#served = options.authorities.tls.certificate;
    this.#tell(options.authorities);
    this.#timer = setInterval(() => void this.check(), PERIOD);
    this.#timer.unref();
  }

  /** One look. Never rejects: what is served stays when the Secrets cannot be read. */
  async check(): Promise<void> {
    const { load, relay, logger } = this.#options;
    try {
      const authorities = await load();
      this.#tell(authorities);
      if (authorities.tls.certificate === this.#served) return;
      relay.replaceTls(authorities.tls);
      this.#served = authorities.tls.certificate;
      logger.info('a renewed server certificate is served');
    } catch (error) {
      logger.error('the relay certificates cannot be looked at', { error });
    }
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
  }

  #tell({ tls, signing, roots }: RelayAuthorities): void {
    const { expiry, logger, now } = this.#options;
    const [server] = readCertificates(tls.certificate, 'server certificate', { max: 10, allowText: true });
    const ends = {
      root: earliest(roots.roots.map(({ notAfter }) => notAfter)),
      signing: signing.certificate.notAfter,
      server: server?.notAfter,
    };
    for (const [certificate, end] of Object.entries(ends)) {
      if (end === undefined) continue;
      expiry.set(end.getTime() / 1000, { certificate });
      if (end.getTime() - now().getTime() < WARN_DAYS * DAY)
        logger.warn('a relay certificate ends soon; replace its Secret', { certificate, expires: end.toISOString() });
    }
  }
}

function earliest(dates: readonly Date[]): Date | undefined {
  return dates.toSorted((a, b) => a.getTime() - b.getTime())[0];
}
