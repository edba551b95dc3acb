/** Content of the responses of a delta stream that Envoy has neither accepted nor rejected yet. */
import type { SentResponse } from './delta-responses.ts';
import type { XdsType } from './resource-type.ts';

export class Unanswered {
  readonly #max: number;
  /** Their nonces increase. */
  readonly #responses: SentResponse[] = [];
  #latest = 0;
  /** The highest answered nonce of each type. */
  readonly #answered = new Map<XdsType, number>();

  /** @param max maximum number of stored responses; answers to older ones are ignored */
  constructor(max: number) {
    this.#max = max;
  }

  /** The last nonce; 0 before the first. */
  get latest(): number {
    return this.#latest;
  }

  /** Stores a response; its nonce is above all earlier ones. */
  add(sentResponse: SentResponse): void {
    this.#latest = sentResponse.nonce;
    this.#responses.push(sentResponse);
    if (this.#responses.length > this.#max) this.#responses.shift();
  }

  /**
   * Removes the answered response. @returns undefined for an unknown or already answered nonce, or one of another type
   */
  take(nonce: string, type: XdsType): SentResponse | undefined {
    const at = this.#place(Number(nonce));
    const sentResponse = this.#responses[at];
    if (sentResponse?.type !== type) return undefined;
    this.#answered.set(type, Math.max(sentResponse.nonce, this.#answered.get(type) ?? 0));
    // Envoy answers in order, except that types overtake each other.
    if (at === 0) this.#responses.shift();
    else this.#responses.splice(at, 1);
    return sentResponse;
  }

  /**
   * Whether no answer is pending. Within a type Envoy answers in order, and never answers responses from before its
   * first request of the type.
   */
  get isEmpty(): boolean {
    return this.#responses.every(({ type, nonce }) => nonce < (this.#answered.get(type) ?? 0));
  }

  #place(nonce: number): number {
    if (this.#responses[0]?.nonce === nonce) return 0;
    let [from, to] = [0, this.#responses.length - 1];
    while (from <= to) {
      const middle = (from + to) >>> 1;
      const there = (this.#responses[middle] as SentResponse).nonce;
      if (there === nonce) return middle;
      if (there < nonce) from = middle + 1;
      else to = middle - 1;
    }
    return -1;
  }
}
