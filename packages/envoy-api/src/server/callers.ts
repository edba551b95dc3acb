/** Who is at the other end of a call, by the token in its metadata. */
import { createHash } from 'node:crypto';

/** A ServiceAccount, proved by its token. */
export interface VerifiedServiceAccount {
  readonly namespace: string;
  readonly serviceAccount: string;
}

export interface CallersOptions {
  /** Asks the authority; undefined for a token it does not accept. */
  readonly review: (token: string) => Promise<VerifiedServiceAccount | undefined>;
  /** Monotonic milliseconds. */
  readonly now?: (() => number) | undefined;
  readonly limits?: Partial<CallersLimits> | undefined;
}

/** Counts and milliseconds. */
export interface CallersLimits {
  /** How long a token that was accepted is not asked about again. */
  readonly cached: number;
  /** And one that was not. */
  readonly refused: number;
  /** Answers kept. */
  readonly retained: number;
  /** Questions under way at a time; beyond them callers are told to come back. */
  readonly asking: number;
  /** Characters of a token. */
  readonly tokenLength: number;
}

export const DEFAULT_CALLERS_LIMITS: CallersLimits = {
  cached: 60_000,
  refused: 5000,
  retained: 10_000,
  asking: 32,
  tokenLength: 16 * 1024,
};

/** As many are being asked about as may be: the caller is to come back. */
export class CallersBusyError extends Error {
  override readonly name = 'CallersBusyError';
}

/** Answers about tokens, remembered for a moment. Tokens themselves are not kept: their hashes are. */
export class Callers {
  readonly #review: CallersOptions['review'];
  readonly #now: () => number;
  readonly #limits: CallersLimits;
  readonly #known = new Map<string, { readonly account: VerifiedServiceAccount | undefined; readonly until: number }>();
  readonly #asking = new Map<string, Promise<VerifiedServiceAccount | undefined>>();

  constructor({ review, now = () => performance.now(), limits }: CallersOptions) {
    this.#review = review;
    this.#now = now;
    this.#limits = { ...DEFAULT_CALLERS_LIMITS, ...limits };
  }

  /**
   * Whose token it is; undefined for nobody's.
   * @throws CallersBusyError, and the error of the authority when it cannot be asked
   */
  async of(token: string): Promise<VerifiedServiceAccount | undefined> {
    if (token.length > this.#limits.tokenLength) return undefined;
    const id = createHash('sha256').update(token).digest('base64');
    const known = this.#known.get(id);
    if (known !== undefined && known.until > this.#now()) return known.account;
    const under = this.#asking.get(id);
    if (under !== undefined) return under;
    if (this.#asking.size >= this.#limits.asking) throw new CallersBusyError('too many tokens are being reviewed');
    const requested = this.#ask(id, token);
    this.#asking.set(id, requested);
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
      this.#asking.delete(id);
    }
  }
}
