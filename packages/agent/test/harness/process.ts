/** The agent as a separate process that a test can kill. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import process from 'node:process';
import { builtProgram } from '@meshrelay/programs';
import type { TestCluster } from '@meshrelay/test-cluster';
import { agentFields, flags, SHORT_LEASE } from './fields.ts';
import type { TestRelay } from './relay.ts';

export class AgentProcess implements AsyncDisposable {
  /** Lines of its standard output and error. */
  readonly log: string[] = [];
  /** The exit code; null if a signal ended it. */
  readonly exit: Promise<number | null>;
  readonly #child: ChildProcess;

  constructor(args: readonly string[]) {
    this.#child = spawn(process.execPath, [builtProgram('agent'), ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
    for (const stream of [this.#child.stdout, this.#child.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => this.log.push(...text.split('\n')));
    }
    this.exit = once(this.#child, 'close').then(([code]) => code as number | null);
  }

  kill(signal: NodeJS.Signals): void {
    this.#child.kill(signal);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#child.kill('SIGKILL');
    await this.exit;
  }
}

export function startAgentProcess(
  cluster: TestCluster,
  relay: Pick<TestRelay, 'address'>,
  replica: string,
): AgentProcess {
  return new AgentProcess(flags({ replica, ...agentFields(cluster.kubeconfig, relay), ...SHORT_LEASE }));
}
