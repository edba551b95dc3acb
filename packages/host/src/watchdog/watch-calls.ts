/** The thread that ends a process whose call of a plugin does not return. */

/** A function of a plugin. */
export interface WatchedCall {
  readonly module: string;
  /** Such as `translateMesh`. */
  readonly name: string;
}

/** Positions in the memory that the thread shares with its process. */
export const SHARED = {
  /** How many calls began or ended. */
  count: 0,
  /** The current call: 1 is the first that was posted to the thread; 0 if none runs. */
  current: 1,
} as const;

export interface WatchOptions {
  readonly program: string;
  readonly shared: Int32Array;
  /** Takes the call that did not return, as JSON. */
  readonly file: string;
  /** Seconds. */
  readonly limit: number;
}

/**
 * Watches the calls that are posted to it. It counts its own steps and reads no clock, so a process that was stopped
 * and continues is not ended. A thread runs it from its text, so it uses nothing outside itself.
 */
export async function watchCalls(): Promise<void> {
  const { parentPort, workerData } = await import('node:worker_threads');
  const { writeFileSync, writeSync } = await import('node:fs');
  const { kill, pid } = await import('node:process');
  const { program, shared, file, limit } = workerData as WatchOptions;
  const steps = 20;
  const calls: WatchedCall[] = [];
  parentPort?.on('message', (call: WatchedCall) => calls.push(call));
  let count = 0;
  let unchanged = 0;
  setInterval(
    () => {
      const before = count;
      count = Atomics.load(shared, 0);
      const call = calls[Atomics.load(shared, 1) - 1];
      unchanged = call === undefined || count !== before ? 0 : unchanged + 1;
      if (call === undefined || unchanged < steps) return;
      const time = new Date().toISOString();
      const text = `${program}: plugin ${call.module}: its ${call.name} did not return within ${limit} s, so this process ends; report it to the plugin's author\n`;
      try {
        writeFileSync(file, JSON.stringify({ ...call, limit, time }));
        writeSync(2, text);
      } finally {
        kill(pid, 'SIGKILL');
      }
    },
    (limit * 1000) / steps,
  );
}
