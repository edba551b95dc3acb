/** Controls the process of simulated Envoys. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { EnvoyOrder, EnvoysBegin, Received } from './orders.ts';

const PROGRAM = fileURLToPath(new URL('./envoys-process.ts', import.meta.url));

export class Envoys implements AsyncDisposable {
  readonly #child: ChildProcess;
  readonly #ended: Promise<unknown>;

  constructor(begin: EnvoysBegin) {
    this.#child = fork(PROGRAM, [], { execArgv: [], serialization: 'advanced' });
    this.#ended = once(this.#child, 'exit');
    this.#child.send(begin);
  }

  /** @throws Error if the process ends first */
  async does(order: EnvoyOrder): Promise<Received> {
    const answer = once(this.#child, 'message') as Promise<[Received]>;
    this.#child.send(order);
    const gone = this.#ended.then(() => {
      throw new Error(`the Envoys' process ended while it was to do ${order.order}`);
    });
    const [received] = await Promise.race([answer, gone]);
    return received;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#child.disconnect();
    await this.#ended;
  }
}
