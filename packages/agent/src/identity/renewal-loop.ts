/** Renews the client certificate in time, as long as this replica leads. */

import { Backoff, type Clock } from '@meshrelay/concurrency';
import { errorDetails } from '@meshrelay/host';
import { renewAt } from '@meshrelay/pki';
import type { Logger } from '@meshrelay/telemetry';
import type { ClientCertificate } from './client-certificate.ts';

/** A renewable certificate. */
export interface Renewable {
  /** Resolves with a currently valid certificate, however long that takes. @throws the signal's reason */
  obtain(signal: AbortSignal): Promise<ClientCertificate>;
  /** Replaces the certificate. @throws Error if renewal is not possible now */
  renew(): Promise<void>;
}

export interface RenewalLoopOptions {
  readonly identity: Renewable;
  readonly clock: Clock;
  readonly now: () => Date;
  /** Returns a number in [0, 1). */
  readonly random: () => number;
  readonly logger: Logger;
}

/**
 * A certificate is renewed at half of its lifetime, plus or minus a tenth of it. So a fleet that registered at once
 * does not renew at once.
 */
const JITTER = 0.1;
/** Interval of checks in milliseconds, because the system clock may be set meanwhile. */
const RESYNC_INTERVAL_MS = 60_000;
/** Pauses after a failure, in milliseconds; the longest is at most this fraction of the certificate's lifetime. */
const FIRST_PAUSE = 1_000;
const LONGEST_PAUSE = 600_000;
const PAUSE_PART = 1 / 60;

/** Runs from construction until it is disposed. */
export class RenewalLoop implements AsyncDisposable {
  readonly #options: RenewalLoopOptions;
  readonly #stop = new AbortController();
  readonly #running: Promise<void>;

  constructor(options: RenewalLoopOptions) {
    this.#options = options;
    this.#running = this.#run();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort(new Error('the renewal of the certificate stops'));
    await this.#running;
  }

  async #run(): Promise<void> {
    const { identity, logger } = this.#options;
    const { signal } = this.#stop;
    let plan: Plan | undefined;
    while (!signal.aborted) {
      try {
        const certificate = await identity.obtain(signal);
        if (plan?.of !== certificate.certificate) plan = this.#plan(certificate);
        await this.#step(plan);
      } catch (error) {
        if (!signal.aborted) logger.error('the renewal of the certificate failed', { error });
        await this.#sleep(FIRST_PAUSE);
      }
    }
  }

  #plan({ certificate, notBefore, notAfter }: ClientCertificate): Plan {
    const { random, logger } = this.#options;
    const at = renewAt({ notBefore, notAfter }, { jitter: JITTER * (2 * random() - 1) });
    const life = notAfter.getTime() - notBefore.getTime();
    const longest = Math.max(FIRST_PAUSE, Math.min(LONGEST_PAUSE, life * PAUSE_PART));
    logger.debug('the client certificate will be renewed', { at, notAfter });
    return { of: certificate, at, notAfter, pauses: new Backoff({ first: FIRST_PAUSE, longest, random }) };
  }

  /** Waits for a while, or renews. */
  async #step({ at, notAfter, pauses }: Plan): Promise<void> {
    const { identity, now, logger } = this.#options;
    const due = at.getTime() - now().getTime();
    if (due > 0) return this.#sleep(Math.min(due, RESYNC_INTERVAL_MS));
    try {
      await identity.renew();
    } catch (error) {
      if (this.#stop.signal.aborted) return;
      const pause = pauses.next();
      const fields = { ...errorDetails(error), notAfter, pause: Math.round(pause) };
      logger.warn('the client certificate is not renewed yet', fields);
      await this.#sleep(pause);
    }
  }

  #sleep(milliseconds: number): Promise<void> {
    return this.#options.clock.sleep(milliseconds, this.#stop.signal);
  }
}

/** Renewal time of one certificate, and the pauses after its failures. */
interface Plan {
  /** The certificate. */
  readonly of: string;
  readonly at: Date;
  readonly notAfter: Date;
  readonly pauses: Backoff;
}
