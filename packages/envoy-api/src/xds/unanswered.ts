/** Responses of a delta stream that Envoy has neither taken nor refused yet: what each told. */
import type { SentResponse } from './delta-responses.ts';
import type { XdsType } from './resource-type.ts';

export class Unanswered {
  readonly #max: number;
  /** Their nonces go up. */
  readonly #responses: SentResponse[] = [];
  #latest = 0;
  /** The highest nonce of each type that was answered. */
  readonly #answered = new Map<XdsType, number>();

  /** @param max how many are remembered; of older ones an answer is no longer understood */
  constructor(max: number) {
    this.#max = max;
  }

  /** The nonce that was given last; 0 before any. */
  get latest(): number {
    return this.#latest;
  }

  /** Remembers a response; its nonce is above all before it. */
  add(sentResponse: SentResponse): void {
    this.#latest = sentResponse.nonce;
    this.#responses.push(sentResponse);
    if (this.#responses.length > this.#max) this.#responses.shift();
  }

  /** Takes out the response that is answered. @returns undefined for a nonce that is none, was answered before, or is another type's */
  take(nonce: string, type: XdsType): SentResponse | undefined {
    const at = this.#place(Number(nonce));
    const sentResponse = this.#responses[at];
    if (sentResponse?.type !== type) return undefined;
    this.#answered.set(type, Math.max(sentResponse.nonce, this.#answered.get(type) ?? 0));
    // Envoy answers in order, but for types that overtake each other.
    if (at === 0) this.#responses.shift();
    else this.#responses.splice(at, 1);
    return sentResponse;
  }

  /** Whether there is nothing left to answer. Within a type Envoy answers in order, and never what came before it asked for the type. */
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
