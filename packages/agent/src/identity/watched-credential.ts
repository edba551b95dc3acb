/** A credential that another program provides: polled until it exists, and read again when it changes. */

import { Backoff, type Clock } from '@meshrelay/concurrency';
import { errorDetails, errorMessage } from '@meshrelay/host';
import type { Logger } from '@meshrelay/telemetry';
import { CredentialNotReady } from './credential-not-ready.ts';

export interface WatchedCredentialOptions<T> {
  /** Kind of credential, such as "token". */
  readonly kind: string;
  /** @throws CredentialNotReady with the missing part and the next action, or the error that prevented reading */
  readonly find: () => Promise<T>;
  readonly isSame: (one: T, other: T) => boolean;
  /** Whether an earlier credential stays in use although the current one is unusable. */
  readonly isStillValid: (found: T) => boolean;
  readonly clock: Clock;
  readonly random: () => number;
  readonly logger: Logger;
}

/** Pauses between checks for missing parts, in milliseconds. */
const PAUSES = { first: 500, longest: 5_000 };

export class WatchedCredential<T> {
  readonly #options: WatchedCredentialOptions<T>;
  #credential: T | undefined;
  #problem: string | undefined;
  #lastMessage: string | undefined;
  #replaced = new AbortController();
  #wake = new AbortController();
  #running: Promise<unknown> = Promise.resolve();
  #queued: Promise<T | undefined> | undefined;

  constructor(options: WatchedCredentialOptions<T>) {
    this.#options = options;
    this.#problem = `the agent has not read its ${options.kind} yet`;
  }

  /** The credential in use, if any. */
  get current(): T | undefined {
    return this.#credential;
  }

  /** Why no credential is available; undefined if one is. */
  get problem(): string | undefined {
    return this.#problem;
  }

  /** Aborts when another credential replaces the one in use. */
  get replaced(): AbortSignal {
    return this.#replaced.signal;
  }

  /** Resolves with a currently valid credential, however long that takes. @throws the signal's reason when it aborts */
  async obtain(signal: AbortSignal): Promise<T> {
    const { clock, random } = this.#options;
    const pauses = new Backoff({ ...PAUSES, random });
    for (;;) {
      signal.throwIfAborted();
      this.#wake = new AbortController();
      const credential = await this.reconcile();
      if (credential !== undefined) return credential;
      await clock.sleep(pauses.next(), AbortSignal.any([signal, this.#wake.signal]));
    }
  }

  /** Checks at once, because something may have changed. Never rejects. */
  reconcile(): Promise<T | undefined> {
    // Checks run in sequence: with two in parallel, the older could finish last. A check that has not begun yet
    // also covers later calls.
    this.#queued ??= this.#running.then(() => {
      this.#queued = undefined;
      return this.#reconcile();
    });
    this.#running = this.#queued;
    return this.#queued;
  }

  async #reconcile(): Promise<T | undefined> {
    try {
      this.#use(await this.#options.find());
    } catch (error) {
      this.#unavailable(error);
    }
    return this.#credential;
  }

  #use(credential: T): void {
    const before = this.#credential;
    this.#credential = credential;
    this.#problem = undefined;
    this.#lastMessage = undefined;
    this.#wake.abort();
    if (before === undefined || this.#options.isSame(before, credential)) return;
    this.#replaced.abort();
    this.#replaced = new AbortController();
  }

  #unavailable(error: unknown): void {
    const { kind, isStillValid, logger } = this.#options;
    const before = this.#credential;
    // An unavailable API server does not invalidate an existing credential.
    const stays = before !== undefined && (!(error instanceof CredentialNotReady) || isStillValid(before));
    const message = errorMessage(error);
    if (message !== this.#lastMessage && (!stays || error instanceof CredentialNotReady))
      logger.warn(stays ? `the current ${kind} cannot be used; the previous one stays in use` : `no ${kind} yet`, {
        ...errorDetails(error),
      });
    this.#lastMessage = message;
    if (stays) return;
    this.#credential = undefined;
    this.#problem = message;
  }
}
