/** Authenticates callers by the token in their metadata. */
import { createHash } from 'node:crypto';

/** A ServiceAccount, authenticated by its token. */
export interface VerifiedServiceAccount {
  readonly namespace: string;
  readonly serviceAccount: string;
}

export interface CallersOptions {
  /** Reviews a token; undefined for an invalid one. */
  readonly review: (token: string) => Promise<VerifiedServiceAccount | undefined>;
  /** Monotonic milliseconds. */
  readonly now?: (() => number) | undefined;
  readonly limits?: Partial<CallersLimits> | undefined;
}

/** Counts and milliseconds. */
export interface CallersLimits {
  /** How long an accepted token is cached. */
  readonly cached: number;
  /** How long a rejected token is cached. */
  readonly refused: number;
  /** Maximum number of cached results. */
  readonly retained: number;
  /** Maximum number of concurrent reviews; further callers must retry. */
  readonly reviews: number;
  /** Maximum characters of a token. */
  readonly tokenLength: number;
}

export const DEFAULT_CALLERS_LIMITS: CallersLimits = {
  cached: 60_000,
  refused: 5000,
  retained: 10_000,
  reviews: 32,
  tokenLength: 16 * 1024,
};

/** Too many concurrent reviews: the caller must retry. */
export class CallersBusyError extends Error {
  override readonly name = 'CallersBusyError';
}

/** Token reviews, cached briefly. Only hashes of the tokens are stored. */
export class Callers {
  readonly #review: CallersOptions['review'];
  readonly #now: () => number;
  readonly #limits: CallersLimits;
  readonly #known = new Map<string, { readonly account: VerifiedServiceAccount | undefined; readonly until: number }>();
  readonly #reviews = new Map<string, Promise<VerifiedServiceAccount | undefined>>();

  constructor({ review, now = () => performance.now(), limits }: CallersOptions) {
    this.#review = review;
    this.#now = now;
    this.#limits = { ...DEFAULT_CALLERS_LIMITS, ...limits };
  }

  /**
   * The ServiceAccount of a token; undefined if it is invalid.
   * @throws CallersBusyError, and the error of a failed review
   */
  async of(token: string): Promise<VerifiedServiceAccount | undefined> {
    if (token.length > this.#limits.tokenLength) return undefined;
    const id = createHash('sha256').update(token).digest('base64');
    const known = this.#known.get(id);
    if (known !== undefined && known.until > this.#now()) return known.account;
    const under = this.#reviews.get(id);
    if (under !== undefined) return under;
    if (this.#reviews.size >= this.#limits.reviews) throw new CallersBusyError('too many tokens are being reviewed');
    const requested = this.#ask(id, token);
    this.#reviews.set(id, requested);
    return requested;
  }

  async #ask(id: string, token: string): Promise<VerifiedServiceAccount | undefined> {
    try {
      const account = await this.#review(token);
      const { cached, refused, retained } = this.#limits;
      this.#known.delete(id);
      this.#known.set(id, { account, until: this.#now() + (account === undefined ? refused : cached) });
      const [oldest] = this.#known.keys();
      if (this.#known.size > retained && oldest !== undefined) this.#known.delete(oldest);
      return account;
    } finally {
      this.#reviews.delete(id);
    }
  }
}
