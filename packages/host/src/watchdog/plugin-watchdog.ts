/**
 * Ends this process if a function of a mesh plugin does not return, and quarantines that plugin from the next start on.
 * While such a call runs, the process does no other work, so a thread has to end it.
 */
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { interceptCalls, type LoadedPlugin, quarantine, type RunCall } from '@meshrelay/relay-core';
import { type HungCall, readHungCall } from './hung-call.ts';
import { SHARED, type WatchedCall, type WatchOptions, watchCalls } from './watch-calls.ts';

/** Seconds. */
const LIMIT = 20;

export interface PluginWatchdogOptions {
  /** The program, such as `agent`. */
  readonly program: string;
  /** The folder for the note of a plugin that did not return. In a pod it is a volume, which survives a restart. */
  readonly folder?: string;
  /** Seconds after which a call counts as one that does not return. */
  readonly limit?: number;
}

export class PluginWatchdog implements AsyncDisposable {
  readonly #options: WatchOptions;
  /** Of an earlier process. */
  readonly #hung: HungCall | undefined;
  readonly #numbers = new Map<string, number>();
  #thread: Worker | undefined;

  /** @throws ConfigError if the note of an earlier process cannot be read */
  constructor({ program, folder = tmpdir(), limit = LIMIT }: PluginWatchdogOptions) {
    const file = join(folder, `meshrelay-${program}-hung-plugin.json`);
    this.#options = { program, file, limit, shared: new Int32Array(new SharedArrayBuffer(8)) };
    this.#hung = readHungCall(file);
  }

  /** The plugin with its calls watched, or quarantined if it did not return in an earlier process. */
  guard(module: string, loaded: LoadedPlugin): LoadedPlugin {
    if (this.#hung?.module === module) return quarantine(loaded, this.#reason(this.#hung));
    return { ...loaded, plugin: interceptCalls(loaded.plugin, (name) => this.#watch({ module, name })) };
  }

  /** Imports a module, which may not return either. Modules must be imported one at a time. */
  async import(module: string): Promise<unknown> {
    const { shared } = this.#options;
    Atomics.store(shared, SHARED.current, this.#numberOf({ module, name: 'import' }));
    try {
      return await import(module);
    } finally {
      Atomics.store(shared, SHARED.current, 0);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#thread?.terminate();
  }

  #watch(call: WatchedCall): RunCall {
    const number = this.#numberOf(call);
    const { shared } = this.#options;
    return (run) => {
      const outer = Atomics.exchange(shared, SHARED.current, number);
      Atomics.add(shared, SHARED.count, 1);
      try {
        return run();
      } finally {
        Atomics.store(shared, SHARED.current, outer);
        Atomics.add(shared, SHARED.count, 1);
      }
    };
  }

  #numberOf(call: WatchedCall): number {
    const name = JSON.stringify(call);
    const known = this.#numbers.get(name);
    if (known !== undefined) return known;
    this.#thread ??= this.#start();
    this.#thread.postMessage(call);
    const number = this.#numbers.size + 1;
    this.#numbers.set(name, number);
    return number;
  }

  #start(): Worker {
    const thread = new Worker(`(${watchCalls})()`, { eval: true, workerData: this.#options });
    thread.unref();
    return thread;
  }

  #reason({ name, limit, time }: HungCall): string {
    return `its ${name} did not return within ${limit} s, and its process was ended at ${time}; report it to the plugin's author, and delete the pod or ${this.#options.file} to try the plugin again`;
  }
}
