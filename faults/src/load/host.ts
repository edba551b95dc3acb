/** A host of simulated agents as a child process of the director's. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Order, Report } from './messages.ts';

const MAIN = join(import.meta.dirname, 'agent-host.ts');

type ReportOf<Name extends Report['report']> = Extract<Report, { readonly report: Name }>;

export class Host implements AsyncDisposable {
  readonly #child: ChildProcess;
  readonly #ended: Promise<unknown>;

  constructor() {
    // Without the arguments of this process: a host needs none of them.
    this.#child = fork(MAIN, [], { execArgv: ['--disable-warning=ExperimentalWarning'] });
    this.#ended = once(this.#child, 'exit');
  }

  /**
   * Sends an order and waits for the report that answers it. @throws Error if the host ends first, or the signal is
   * aborted
   */
  async does<Name extends Report['report']>(order: Order, answer: Name, signal: AbortSignal): Promise<ReportOf<Name>> {
    const { promise, resolve, reject } = Promise.withResolvers<ReportOf<Name>>();
    const listen = (report: Report): void => {
      if (report.report === answer) resolve(report as ReportOf<Name>);
    };
    const ended = (): void => reject(new Error(`a host of agents ended while it was to ${order.order}`));
    const stop = (): void => reject(signal.reason as Error);
    this.#child.on('message', listen).once('exit', ended);
    signal.addEventListener('abort', stop, { once: true });
    try {
      this.#child.send(order);
      return await promise;
    } finally {
      this.#child.off('message', listen).off('exit', ended);
      signal.removeEventListener('abort', stop);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    this.#child.kill('SIGKILL');
    await this.#ended;
  }
}
