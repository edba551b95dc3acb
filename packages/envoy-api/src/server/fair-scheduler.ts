/** Schedules the sending of many calls: a limited number of resources per turn of the event loop. */
import { setImmediate } from 'node:timers';

/** A call with pending resources. */
export interface Speaker {
  /** @returns the number of resources sent */
  speak(): number;
}

/** Resources sent per turn: requests are read in between, however many Envoys a change affects. */
const RESOURCES = 200;

export class FairScheduler {
  readonly #resources: number;
  #due: Speaker[] = [];
  #begun = false;

  constructor(resources: number = RESOURCES) {
    this.#resources = resources;
  }

  /** Schedules a call after all calls that are already scheduled. Once per pending change is enough. */
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
    // A call that becomes due meanwhile waits for the next turn.
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
