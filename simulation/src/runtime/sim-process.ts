/** One process of the simulated fleet: alive or dead, running or frozen, with its own clocks and randomness. */
import type { Random } from './random.ts';
import type { Task } from './task-queue.ts';

/** The time of day at which every simulation begins: certificates are issued a day before it. */
export const EPOCH: number = Date.UTC(2031, 2, 3, 4, 5, 6);

export class SimProcess {
  /** The host on which it runs, for the network. */
  readonly name: string;
  /** Number of this start among all. */
  readonly id: string;
  readonly random: Random;
  alive = true;
  /** Frozen: none of its code runs. `suspended`: its clock stands still too, as that of a virtual machine does. */
  frozen: 'no' | 'stopped' | 'suspended' = 'no';
  /** Work that came due while it was frozen. */
  backlog: Task<SimProcess>[] = [];
  /** Milliseconds for which its clock has stood still. */
  suspendedFor = 0;
  /** Called when it dies, for the operating system's cleanup. */
  readonly atDeath = new Set<() => void>();
  #frozenAt = 0;
  /** Its monotonic clock shows `#shown` at the simulated time `#since`, and runs `rate` times as fast. */
  #rate: number;
  #since: number;
  #shown: number;
  /** Offset of its time of day from the true one. */
  #wallOffset = 0;

  constructor(
    name: string,
    start: { readonly number: number; readonly random: Random; readonly rate: number },
    now: number,
  ) {
    const { number, random, rate } = start;
    this.name = name;
    this.id = `${name}#${number}`;
    this.random = random;
    this.#rate = rate;
    this.#since = now;
    this.#shown = 1_000 + Math.floor(random() * 1_000_000);
  }

  get rate(): number {
    return this.#rate;
  }

  /** Its monotonic clock, in milliseconds. */
  monotonic(now: number): number {
    const end = this.frozen === 'suspended' ? this.#frozenAt : now;
    return this.#shown + Math.max(0, end - this.#since) * this.#rate;
  }

  /** Its time of day in milliseconds. */
  wall(now: number): number {
    return EPOCH + Math.floor(now + this.#wallOffset);
  }

  /** Its time of day jumps; no behaviour may depend on it. */
  stepWall(milliseconds: number): void {
    this.#wallOffset += milliseconds;
  }

  /** Its monotonic clock runs faster or slower from now on. */
  setRate(rate: number, now: number): void {
    this.#shown = this.monotonic(now);
    this.#since = now;
    this.#rate = rate;
  }

  freeze(how: 'stopped' | 'suspended', now: number): void {
    this.frozen = how;
    this.#frozenAt = now;
  }

  /** @returns the work that came due meanwhile, in order */
  thaw(now: number): readonly Task<SimProcess>[] {
    if (this.frozen === 'suspended') {
      this.#shown = this.monotonic(now);
      this.#since = now;
      this.suspendedFor += now - this.#frozenAt;
    }
    this.frozen = 'no';
    const due = this.backlog;
    this.backlog = [];
    return due;
  }
}
