/** The scheduler of a simulation: a single thread, simulated time, and after each step all of its consequences. */
import { AsyncLocalStorage } from 'node:async_hooks';
import process from 'node:process';
import { type Random, randomOf } from './random.ts';
import { SimProcess } from './sim-process.ts';
import { type Task, TaskQueue } from './task-queue.ts';

/** Runs pending microtasks and next ticks before any other event. Node uses it for its own callbacks. */
const drain = (process as unknown as { _tickCallback(): void })._tickCallback.bind(process);

/** The process to which the running code belongs. */
const current = new AsyncLocalStorage<SimProcess>();

/** The running simulation; undefined between two. */
let running: Scheduler | undefined;

/** The scheduler of the current process; undefined outside every process, where time is real. */
export function simulatedNow(): { readonly scheduler: Scheduler; readonly process: SimProcess } | undefined {
  const process = current.getStore();
  return process === undefined || running === undefined ? undefined : { scheduler: running, process };
}

export class Scheduler {
  readonly seed: string;
  /** Simulated milliseconds since the start. */
  now = 0;
  steps = 0;
  /** A hash of all steps, in order: equal digests mean identical runs. */
  digest = 0;
  /** Called with uncaught errors of a process's code. */
  onUncaught: (process: SimProcess, error: unknown) => void = () => {};
  readonly #queue = new TaskQueue<SimProcess>();
  #order = 0;
  #held = false;

  constructor(seed: string) {
    this.seed = seed;
  }

  /** Random numbers for one purpose. */
  random(purpose: string): Random {
    return randomOf(`${this.seed}/${purpose}`);
  }

  /** A process that runs from now on. @param incarnation number of its predecessors on that host */
  spawn(name: string, incarnation: number, rate: number): SimProcess {
    const random = this.random(`process/${name}/${incarnation}`);
    return new SimProcess(name, { number: incarnation, random, rate }, this.now);
  }

  /** In simulated milliseconds from now. @returns the task, for cancelling */
  after(delay: number, owner: SimProcess | undefined, run: () => void): Task<SimProcess> {
    return this.#add(delay, owner, run, false);
  }

  /** In milliseconds of the process's own clock. */
  timer(delay: number, owner: SimProcess, run: () => void): Task<SimProcess> {
    return this.#add(Math.max(0, delay) / owner.rate, owner, run, true);
  }

  /**
   * Within the current step, as a process's work. Does nothing for a dead process, and waits until a frozen one is
   * thawed.
   */
  hand(owner: SimProcess | undefined, run: () => void): void {
    if (owner === undefined) run();
    else if (owner.frozen !== 'no') this.after(0, owner, run);
    else if (owner.alive) this.#runOf(owner, run);
  }

  /** Begins work of a process at once, in its context. */
  enter<T>(owner: SimProcess, work: () => T): T {
    return current.run(owner, work);
  }

  /** The process has ended: none of its code runs any more. */
  kill(owner: SimProcess): void {
    if (!owner.alive) return;
    owner.alive = false;
    owner.backlog = [];
    for (const follow of owner.atDeath) follow();
    owner.atDeath.clear();
  }

  /** Work that came due meanwhile runs now, in order. */
  thaw(owner: SimProcess): void {
    for (const task of owner.thaw(this.now)) {
      this.#again(task, this.now);
    }
  }

  /** Code of processes that real events wake sees simulated time from now on. @returns a function that ends it */
  hold(): () => void {
    running = this;
    this.#held = true;
    return () => {
      this.#held = false;
      running = undefined;
    };
  }

  /** Runs all events until that moment. Call it from a macrotask. @param each called after each step; false ends it */
  runUntil(end: number, each: () => boolean): void {
    running = this;
    try {
      for (let task = this.#queue.peek(); task !== undefined && task.time <= end; task = this.#queue.peek()) {
        this.#queue.pop();
        if (!this.#mayRun(task)) continue;
        this.now = Math.max(this.now, task.time);
        this.steps++;
        this.#record(task);
        this.#run(task);
        if (!each()) return;
      }
      this.now = Math.max(this.now, end);
    } finally {
      this.#leave();
    }
  }

  /** Runs work of the simulation itself between two steps, and its consequences. */
  act(work: () => void): void {
    running = this;
    try {
      work();
      drain();
    } finally {
      this.#leave();
    }
  }

  /** Hashes its time, its owner, and the number of tasks scheduled before it. */
  #record({ time, order, owner }: Task<SimProcess>): void {
    const who = owner === undefined ? 0 : (owner.name.length << 8) + owner.name.charCodeAt(owner.name.length - 1);
    let digest = (Math.imul(this.digest, 31) + Math.floor(time * 1_024)) | 0;
    digest = (Math.imul(digest, 31) + order) | 0;
    this.digest = (Math.imul(digest, 31) + who) | 0;
  }

  #leave(): void {
    if (!this.#held) running = undefined;
  }

  #run({ owner, run }: Task<SimProcess>): void {
    // Work without an owner belongs to the simulation itself: an error in it is not a finding.
    if (owner === undefined) run();
    else this.#runOf(owner, run);
    drain();
  }

  #runOf(owner: SimProcess, run: () => void): void {
    try {
      current.run(owner, run);
    } catch (error) {
      this.onUncaught(owner, error);
    }
  }

  #mayRun(task: Task<SimProcess>): boolean {
    const { owner } = task;
    if (task.cancelled) return false;
    if (owner === undefined) return true;
    if (!owner.alive) return false;
    if (owner.frozen !== 'no') {
      owner.backlog.push(task);
      return false;
    }
    if (!task.timer || owner.suspendedFor === task.suspended) return true;
    // Its clock stood still for part of the time: it waits for the rest.
    const missed = owner.suspendedFor - task.suspended;
    task.suspended = owner.suspendedFor;
    this.#again(task, task.time + missed);
    return false;
  }

  #again(task: Task<SimProcess>, time: number): void {
    task.time = time;
    task.order = this.#order++;
    this.#queue.push(task);
  }

  #add(delay: number, owner: SimProcess | undefined, run: () => void, timer: boolean): Task<SimProcess> {
    const task: Task<SimProcess> = {
      time: this.now + Math.max(0, delay),
      order: this.#order++,
      owner,
      run,
      timer,
      suspended: owner?.suspendedFor ?? 0,
      cancelled: false,
    };
    this.#queue.push(task);
    return task;
  }
}
