/** Lets many calls say what they have to say, so much in one turn of the event loop. */
import { setImmediate } from 'node:timers';

/** One that has something to say. */
export interface Speaker {
  /** @returns how many resources it told */
  speak(): number;
}

/** Resources told in one turn: what comes in is read in between, however many Envoys a change concerns. */
const RESOURCES = 200;

export class FairScheduler {
  readonly #resources: number;
  #due: Speaker[] = [];
  #begun = false;

  constructor(resources: number = RESOURCES) {
    this.#resources = resources;
  }

  /** Its turn comes soon, and after all that were due before it. Once for each thing to say is enough. */
  add(speaker: Speaker): void {
    this.#due.push(speaker);
    this.#begin();
  }

  #begin(): void {
    if (this.#begun) return;
    this.#begun = true;
    setImmediate(() => this.#run());
  }

  #run(): void {
    this.#begun = false;
    // Who becomes due in the meantime waits for the next turn.
    const due = this.#due;
    this.#due = [];
    let next = 0;
    for (let left = this.#resources; next < due.length && left > 0; next++) {
      left -= Math.max(1, (due[next] as Speaker).speak());
    }
    if (next < due.length) this.#due = [...due.slice(next), ...this.#due];
    if (this.#due.length > 0) this.#begin();
  }
}
