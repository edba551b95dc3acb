/** The agents that can be asked: one caller for each cluster whose invoke stream is open to this replica. */
import { InvokeCaller, type RelaySession } from '@meshrelay/relay-protocol';

/** Milliseconds an agent has to look. */
const TIMEOUT_MS = 5_000;

export class AgentCallers {
  readonly #callers = new Map<string, InvokeCaller>();

  /** The caller for a stream that opens. */
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

  /** Calls under way, to all agents. */
  get calls(): number {
    return this.#callers.values().reduce((sum, { calls }) => sum + calls, 0);
  }

  /** Whether a cluster's agent can be asked here. */
  has(cluster: string): boolean {
    return this.#callers.has(cluster);
  }

  /** Who asks a cluster's agent; undefined where it cannot be asked here. */
  callerOf(cluster: string): InvokeCaller | undefined {
    return this.#callers.get(cluster);
  }

  /** Has every agent look now which roots to trust. Those that do not hear it look by themselves, minutes later. */
  async lookAtTrust(): Promise<void> {
    await Promise.allSettled(
      [...this.#callers.values()].map((caller) => caller.ask('agent.trust', {}, { timeout: TIMEOUT_MS })),
    );
  }
}
