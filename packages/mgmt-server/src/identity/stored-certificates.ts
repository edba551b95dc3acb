/** The certificate registry in the management cluster: every replica sees every change, and a restart loses none. */
import { isKubeError, type KubeConnection, Secrets } from '@meshrelay/kube';
import {
  CERTIFICATES_SECRET,
  type CertificateRegistry,
  PkiError,
  readCertificateBook,
  writeCertificateBook,
} from '@meshrelay/pki';
import { RelayError } from '@meshrelay/relay-protocol';
import type { Logger } from '@meshrelay/telemetry';
import { WatchedSecret } from './watched-secret.ts';

export interface StoredCertificatesOptions {
  readonly connection: KubeConnection;
  readonly namespace: string;
  readonly now: () => Date;
  readonly logger: Logger;
}

/** A change of the registry; its errors go to its own caller only. */
type Change = (book: CertificateRegistry) => CertificateRegistry;

interface Waiting {
  readonly change: Change;
  readonly done: (book: CertificateRegistry) => void;
  readonly failed: (error: unknown) => void;
}

/** How often a lost race with another replica is retried. */
const ATTEMPTS = 8;

export class StoredCertificates implements AsyncDisposable {
  readonly #options: StoredCertificatesOptions;
  readonly #secrets: Secrets;
  readonly #book: WatchedSecret<CertificateRegistry>;
  #waiting: Waiting[] = [];
  #writing = false;

  /** Starts the watch. */
  constructor(options: StoredCertificatesOptions) {
    this.#options = options;
    this.#secrets = new Secrets(options.connection, options.namespace);
    this.#book = new WatchedSecret({
      ...options,
      name: CERTIFICATES_SECRET,
      read: readCertificateBook,
      unknown: 'the revoked certificates are not known yet',
    });
  }

  /** The registry as last seen; undefined before the first read, when revocations are unknown. */
  get book(): CertificateRegistry | undefined {
    return this.#book.value;
  }

  /**
   * The registry; waits for it after a start. @throws RelayError RELAY_E_UNAVAILABLE while it is not known: a revoked
   * certificate must not pass
   */
  present(): Promise<CertificateRegistry> {
    return this.#book.present();
  }

  /** The registry, read from the API server now. @throws KubeError, PkiError */
  fresh(): Promise<CertificateRegistry> {
    return this.#book.fresh();
  }

  /** Calls back after each change of the registry. @returns a function that unsubscribes */
  listen(listener: () => void): () => void {
    return this.#book.listen(listener);
  }

  /**
   * Changes the registry durably, by compare-and-swap among replicas. Concurrent changes share one write.
   * @throws what `change` throws, or KubeError
   */
  change(change: Change): Promise<CertificateRegistry> {
    return new Promise((done, failed) => {
      this.#waiting.push({ change, done, failed });
      if (!this.#writing) void this.#writeAll();
    });
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#book[Symbol.asyncDispose]();
  }

  async #writeAll(): Promise<void> {
    this.#writing = true;
    try {
      while (this.#waiting.length > 0) await this.#writeSome();
    } finally {
      this.#writing = false;
    }
  }

  /** Writes all pending changes at once. */
  async #writeSome(): Promise<void> {
    const batch = this.#waiting;
    this.#waiting = [];
    try {
      const { book, settled } = await this.#attempt(batch);
      this.#book.take(book);
      for (const settle of settled) settle(book);
    } catch (error) {
      for (const { failed } of batch) failed(error);
    }
  }

  async #attempt(batch: readonly Waiting[]): Promise<Applied> {
    for (let attempt = 1; ; attempt += 1) {
      const stored = await this.#secrets.read(CERTIFICATES_SECRET);
      const before = readCertificateBook(stored?.data);
      const applied = applyAll(batch, before, this.#options.now());
      if (applied.book === before) return applied;
      const data = writeCertificateBook(applied.book);
      try {
        if (stored === undefined) await this.#secrets.create(CERTIFICATES_SECRET, data);
        else await this.#secrets.replace(stored, data);
        return applied;
      } catch (error) {
        const lostRace = isKubeError(error, 'RELAY_E_KUBE_CONFLICT') || isKubeError(error, 'RELAY_E_KUBE_EXISTS');
        if (!lostRace) throw error;
        if (attempt >= ATTEMPTS)
          throw new RelayError('RELAY_E_UNAVAILABLE', 'too many certificates are being issued; try again', {
            cause: error,
          });
      }
    }
  }
}

interface Applied {
  readonly book: CertificateRegistry;
  readonly settled: ReadonlyArray<(book: CertificateRegistry) => void>;
}

/**
 * Applies one change after the other. A rejected change does not affect the others; its caller gets the error when they
 * are stored.
 */
function applyAll(batch: readonly Waiting[], before: CertificateRegistry, now: Date): Applied {
  let book = before;
  const settled = batch.map(({ change, done, failed }) => {
    try {
      book = change(book);
      return done;
    } catch (error) {
      if (!(error instanceof RelayError || error instanceof PkiError)) throw error;
      return () => failed(error);
    }
  });
  return { book: book === before ? before : book.forget(now), settled };
}
