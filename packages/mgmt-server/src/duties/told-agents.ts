/** What is told of each cluster's agent, remembered for when nothing is known of one any more: its replica has died, or all servers were started anew. */
import type { ClusterRecord } from '../status/cluster-record.ts';
import { type AgentStatus, agentStatus, agentStatusBefore } from '../status/cluster-status.ts';

export class ToldAgents {
  readonly #now: () => Date;
  readonly #ledUntil: Date | undefined;
  readonly #told = new Map<string, AgentStatus>();

  /** @param ledUntil until when another replica told of agents; undefined where none did, or it is not known */
  constructor(now: () => Date, ledUntil: Date | undefined) {
    this.#now = now;
    this.#ledUntil = ledUntil;
  }

  /** What to tell of a cluster's agent. @param live what the API server has, for a cluster of which nothing was told from here before */
  tell(cluster: string, record: ClusterRecord | undefined, live: AgentStatus = {}): AgentStatus {
    const told = record === undefined ? this.#before(cluster, live) : agentStatus(record);
    this.#told.set(cluster, told);
    return told;
  }

  forget(cluster: string): void {
    this.#told.delete(cluster);
  }

  #before(cluster: string, live: AgentStatus): AgentStatus {
    const told = this.#told.get(cluster);
    return told === undefined
      ? agentStatusBefore(live, this.#ledUntil ?? this.#now())
      : agentStatusBefore(told, this.#now());
  }
}
