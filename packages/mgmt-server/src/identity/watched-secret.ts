/** Parsed content of a Secret, read again at each change. The last readable state is in use. */
import { setTimeout as sleep } from 'node:timers/promises';
import { coalesced } from '@meshrelay/concurrency';
import { type KindWatch, type KubeConnection, type SecretData, Secrets, watchSecret } from '@meshrelay/kube';
import { RelayError } from '@meshrelay/relay-protocol';
import type { Logger } from '@meshrelay/telemetry';

export interface WatchedSecretOptions<T> {
  readonly connection: KubeConnection;
  readonly namespace: string;
  readonly name: string;
  /** @throws Error naming the Secret if its data is invalid; undefined data: the Secret does not exist */
  readonly read: (data: SecretData | undefined) => T;
  /** Error message for callers while the content is not known, such as "the revoked certificates are not known yet". */
  readonly unknown: string;
  readonly logger: Logger;
}

/** Milliseconds that a caller waits after a start. */
const TIMEOUT_MS = 5_000;

export class WatchedSecret<T> implements AsyncDisposable {
  readonly #options: WatchedSecretOptions<T>;
  readonly #secrets: Secrets;
  readonly #watch: KindWatch;
  readonly #listeners = new Set<() => void>();
  readonly #firstKnown = Promise.withResolvers<void>();
  #value: T | undefined;

  /** Starts the watch. */
  constructor(options: WatchedSecretOptions<T>) {
    const { connection, namespace, name } = options;
    this.#options = options;
    this.#secrets = new Secrets(connection, namespace);
    this.#watch = watchSecret(connection, { namespace, name, changed: () => void this.refresh() });
  }

  /** The content as last read; undefined before the first read. */
  get value(): T | undefined {
    return this.#value;
  }

  /** The content; waits for it after a start. @throws RelayError RELAY_E_UNAVAILABLE while it is not known */
  async present(): Promise<T> {
    if (this.#value === undefined)
      await Promise.race([this.#firstKnown.promise, sleep(TIMEOUT_MS, undefined, { ref: false })]);
    if (this.#value !== undefined) return this.#value;
    throw new RelayError('RELAY_E_UNAVAILABLE', `${this.#options.unknown}; try again`);
  }

  /** The content, read now for the caller. @throws KubeError, and what `read` throws */
  async fresh(): Promise<T> {
    const { name, read } = this.#options;
    const value = read((await this.#secrets.read(name))?.data);
    this.take(value);
    return value;
  }

  /** Calls back after each read. @returns a function that unsubscribes */
  listen(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Reads it again. Never rejects. */
  readonly refresh: () => Promise<void> = coalesced(async () => {
    const { name, read, logger } = this.#options;
    try {
      this.take(read((await this.#secrets.read(name))?.data));
    } catch (error) {
      logger.error('a Secret cannot be read; its previous content stays in use', { secret: name, error });
    }
  });

  /** Takes the content that this process has just written. */
  take(value: T): void {
    this.#value = value;
    this.#firstKnown.resolve();
    for (const listener of this.#listeners) listener();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#listeners.clear();
    await this.#watch[Symbol.asyncDispose]();
  }
}
