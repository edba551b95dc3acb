/** Controls the process in which the agents of a benchmark run. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Fleet, Order } from './agents-main.ts';

const PROGRAM = fileURLToPath(new URL('./agents-main.ts', import.meta.url));

export class AgentsProcess implements AsyncDisposable {
  readonly #child: ChildProcess;
  readonly #ended: Promise<unknown>;

  constructor(fleet: Fleet) {
    this.#child = fork(PROGRAM, [], { execArgv: [], serialization: 'advanced' });
    this.#ended = once(this.#child, 'exit');
    this.#child.send(fleet);
  }

  /** Resolves with the CPU time that the process used, in milliseconds. @throws Error if the process ends first */
  async run(order: Order): Promise<number> {
    const answer = once(this.#child, 'message') as Promise<[number]>;
    this.#child.send(order);
    const gone = this.#ended.then(() => {
      throw new Error(`the process of the agents ended during ${order.order}`);
    });
    const [milliseconds] = await Promise.race([answer, gone]);
    return milliseconds;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#child.disconnect();
    await this.#ended;
  }
}
