/** One caller for each cluster whose invoke stream is open to this replica. */
import { InvokeCaller, type RelaySession } from '@meshrelay/relay-protocol';

/** Milliseconds that an agent has to check its roots. */
const TIMEOUT_MS = 5_000;

export class AgentCallers {
  readonly #callers = new Map<string, InvokeCaller>();

  /** The caller for a new stream. */
  open({ cluster }: Pick<RelaySession, 'cluster'>): InvokeCaller {
    const caller: InvokeCaller = new InvokeCaller({
      cluster,
      onEnd: () => {
        if (this.#callers.get(cluster) === caller) this.#callers.delete(cluster);
      },
    });
    this.#callers.set(cluster, caller);
    return caller;
  }

  /** Calls in progress, to all agents. */
  get calls(): number {
    return this.#callers.values().reduce((sum, { calls }) => sum + calls, 0);
  }

  /** Whether this replica can call a cluster's agent. */
  has(cluster: string): boolean {
    return this.#callers.has(cluster);
  }

  /** The caller of a cluster's agent; undefined if this replica cannot call it. */
  callerOf(cluster: string): InvokeCaller | undefined {
    return this.#callers.get(cluster);
  }

  /** Makes every agent check its trusted roots now. Agents that miss the call check by themselves, minutes later. */
  async checkTrust(): Promise<void> {
    await Promise.allSettled(
      [...this.#callers.values()].map((caller) => caller.ask('agent.trust', {}, { timeout: TIMEOUT_MS })),
    );
  }
}
