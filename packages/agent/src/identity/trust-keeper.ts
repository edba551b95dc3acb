/** Keeps the roots that verify the server up to date, and renews the certificate when the server's CA has changed. */

import { Backoff, type Clock, ReconcileLoop } from '@meshrelay/concurrency';
import { isKubeError, type Secrets } from '@meshrelay/kube';
import { readTrustBundle } from '@meshrelay/pki';
import { ROOT_SECRET } from '@meshrelay/relay-core';
import type { TrustRequest, TrustResponse } from '@meshrelay/relay-protocol';
import type { Logger } from '@meshrelay/telemetry';

export interface TrustKeeperOptions {
  readonly secrets: Secrets;
  /** Requests the roots over the current connection; undefined without a connection. @throws RelayError */
  readonly ask: (request: TrustRequest) => Promise<TrustResponse> | undefined;
  /** Renews the certificate, if there is one. @throws Error */
  readonly renew: (() => Promise<void>) | undefined;
  readonly clock: Clock;
  readonly random: () => number;
  readonly logger: Logger;
}

/** Milliseconds until the next request after a request without a response. */
const PAUSES = { first: 1_000, longest: 60_000 };
/** The pause from a response is spread by this fraction, so a fleet does not send requests at once. */
const SPREAD = 0.2;

/** Runs from construction until it is disposed. */
export class TrustBundleSync implements AsyncDisposable {
  readonly #options: TrustKeeperOptions;
  readonly #reconcileLoop: ReconcileLoop;

  constructor(options: TrustKeeperOptions) {
    this.#options = options;
    const pauses = new Backoff({ ...PAUSES, random: options.random });
    this.#reconcileLoop = new ReconcileLoop(options.clock, (signal) => this.#reconcile(pauses, signal));
  }

  /** Requests at once: a connection is established, or the server reported a change. */
  reconcile(): void {
    this.#reconcileLoop.trigger();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#reconcileLoop[Symbol.asyncDispose]();
  }

  /** @returns milliseconds until the next request */
  async #reconcile(pauses: Backoff, signal: AbortSignal): Promise<number> {
    const { random, logger } = this.#options;
    const pause = pauses.next();
    try {
      const seconds = await this.#once();
      if (seconds === undefined) return pause;
      pauses.reset();
      return seconds * 1000 * (1 - SPREAD * random());
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      if (!signal.aborted) logger.debug('the server does not send its roots', { reason });
      return pause;
    }
  }

  /** @returns seconds until the next request; undefined without a connection */
  async #once(): Promise<number | undefined> {
    const { secrets, ask, renew, logger } = this.#options;
    const stored = await secrets.read(ROOT_SECRET);
    const text = stored?.data['ca.crt'] ?? '';
    if (stored === undefined || text === '') return undefined;
    const answer = await ask({ bundle: readTrustBundle(text).hash });
    if (answer === undefined) return undefined;
    if (answer.rootsPem !== '') {
      const { roots, hash } = readTrustBundle(answer.rootsPem);
      if (roots.length === 0) throw new Error('the server sent no roots');
      try {
        await secrets.replace(stored, { ...stored.data, 'ca.crt': answer.rootsPem });
      } catch (error) {
        if (!isKubeError(error, 'RELAY_E_KUBE_CONFLICT')) throw error;
      }
      logger.info('the roots that sign the server certificate have changed', { object: `Secret ${ROOT_SECRET}`, hash });
      // Reported at once, because the rotation waits for it.
      return 0;
    }
    if (answer.renew && renew !== undefined) {
      logger.info('the certificate is renewed, because its CA is replaced');
      await renew();
    }
    return answer.seconds;
  }
}
