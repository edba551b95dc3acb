/** Responses of a delta stream that Envoy has neither taken nor refused yet: what each told. */
import type { XdsType } from './resource-type.ts';

/** One response. Texts alone are kept: what was sent may be another by the time it is answered. */
export interface Told {
  readonly type: XdsType;
  /** Names and versions by turns; '' for what was said to be gone. */
  readonly versions: readonly string[];
}

/** Answered ones at the front, before the others move up. */
const ANSWERED = 32;

/** Nonces count up, so a place is found by its number. */
export class Unanswered {
  readonly #most: number;
  /** The first is that of the nonce `#oldest`. */
  #responses: (Told | undefined)[] = [];
  #oldest = 1;
  /** How many at the front are answered. */
  #answered = 0;

  /** @param most how many are remembered; of older ones an answer is no longer understood */
  constructor(most: number) {
    this.#most = most;
  }

  /** Remembers a response. @returns its nonce */
  add(told: Told): string {
    this.#responses.push(told);
    const nonce = this.#oldest + this.#responses.length - 1;
    if (this.#responses.length - this.#answered > this.#most) this.#forget(this.#answered);
    return String(nonce);
  }

  /** Takes out the response that is answered. @returns undefined for a nonce that is none, was answered before, or is another type's */
  take(nonce: string, type: XdsType): Told | undefined {
    const at = Number(nonce) - this.#oldest;
    const told = this.#responses[at];
    if (told?.type !== type) return undefined;
    this.#forget(at);
    return told;
  }

  #forget(at: number): void {
    this.#responses[at] = undefined;
    while (this.#answered < this.#responses.length && this.#responses[this.#answered] === undefined) this.#answered++;
    if (this.#answered < ANSWERED || this.#answered * 2 < this.#responses.length) return;
    this.#responses = this.#responses.slice(this.#answered);
    this.#oldest += this.#answered;
    this.#answered = 0;
  }
}
