/** Virtual time: it passes only when a test advances it, and each process has a clock of its own rate. */
import type { Clock } from '../src/mod.ts';

/** One timeline with its pending events. */
export class VirtualTime {
  now = 0;
  #sequence = 0;
  #events: { at: number; order: number; run: () => void }[] = [];

  /** Calls `run` at the true time `at`. */
  schedule(at: number, run: () => void): void {
    this.#events.push({ at: Math.max(at, this.now), order: this.#sequence++, run });
  }

  after(milliseconds: number): Promise<void> {
    return new Promise((wake) => this.schedule(this.now + milliseconds, wake));
  }

  /** Advances time, runs due events in order and settles promises after each. Calls `check` after each event too. */
  async pass(milliseconds: number, check: () => void = () => {}): Promise<void> {
    const end = this.now + milliseconds;
    await settle();
    for (;;) {
      let next = -1;
      for (let i = 0; i < this.#events.length; i++) {
        const [event, best] = [this.#events[i], this.#events[next]];
        if (event === undefined || event.at > end) continue;
        if (best === undefined || event.at < best.at || (event.at === best.at && event.order < best.order)) next = i;
      }
      const [event] = next < 0 ? [] : this.#events.splice(next, 1);
      if (event === undefined) break;
      this.now = event.at;
      event.run();
      await settle();
      check();
    }
    this.now = end;
  }

  /** Clock of one process: `rate` local milliseconds per true one. Events due within a pause run at its end. */
  clock({ rate = 1, pauses = [] }: { rate?: number; pauses?: readonly { from: number; to: number }[] } = {}): Clock {
    const isActive = (at: number): number => pauses.find(({ from, to }) => from <= at && at < to)?.to ?? at;
    return {
      now: () => this.now * rate,
      wallTime: () => new Date(1_800_000_000_000 + this.now * rate),
      sleep: (milliseconds, signal) =>
        new Promise((wake) => {
          if (signal?.aborted) return wake();
          signal?.addEventListener('abort', () => wake(), { once: true });
          this.schedule(isActive(this.now + milliseconds / rate), wake);
        }),
    };
  }
}

/** Waits until all promises that can settle have settled. */
export async function settle(): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
}
