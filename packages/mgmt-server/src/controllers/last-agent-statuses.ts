/** What is told of each cluster's agent, remembered for when nothing is known of one any more: its replica has died, or all servers were started anew. */
import type { ClusterRecord } from '../status/cluster-record.ts';
import { type AgentStatus, agentStatus, agentStatusBefore } from '../status/cluster-status.ts';

export class LastAgentStatuses {
  readonly #now: () => Date;
  readonly #previousLeaderUntil: Date | undefined;
  readonly #reported = new Map<string, AgentStatus>();

  /** @param previousLeaderUntil until when another replica told of agents; undefined where none did, or it is not known */
  constructor(now: () => Date, previousLeaderUntil: Date | undefined) {
    this.#now = now;
    this.#previousLeaderUntil = previousLeaderUntil;
  }

  /** What to tell of a cluster's agent. @param live what the API server has, for a cluster of which nothing was told from here before */
  announce(cluster: string, record: ClusterRecord | undefined, live: AgentStatus = {}): AgentStatus {
    const reported = record === undefined ? this.#before(cluster, live) : agentStatus(record);
    this.#reported.set(cluster, reported);
    return reported;
  }

  forget(cluster: string): void {
    this.#reported.delete(cluster);
  }

  #before(cluster: string, live: AgentStatus): AgentStatus {
    const reported = this.#reported.get(cluster);
    return reported === undefined
      ? agentStatusBefore(live, this.#previousLeaderUntil ?? this.#now())
      : agentStatusBefore(reported, this.#now());
  }
}
