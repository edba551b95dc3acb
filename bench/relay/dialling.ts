/** Controls the process of the agents' ends. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Fleet, Order } from './dialling-process.ts';

const PROGRAM = fileURLToPath(new URL('./dialling-process.ts', import.meta.url));

export class Dialling implements AsyncDisposable {
  readonly #child: ChildProcess;
  readonly #ended: Promise<unknown>;

  constructor(fleet: Fleet) {
    this.#child = fork(PROGRAM, [], { execArgv: [], serialization: 'advanced' });
    this.#ended = once(this.#child, 'exit');
    this.#child.send(fleet);
  }

  /** Resolves with the CPU it took there, in milliseconds. @throws Error if the process ends first */
  async does(order: Order): Promise<number> {
    const answer = once(this.#child, 'message') as Promise<[number]>;
    this.#child.send(order);
    const gone = this.#ended.then(() => {
      throw new Error(`the agents' process ended while it was to ${order.order}`);
    });
    const [milliseconds] = await Promise.race([answer, gone]);
    return milliseconds;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#child.disconnect();
    await this.#ended;
  }
}
