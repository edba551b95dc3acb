/**
 * The last reported status of each cluster's agent. It is used when the agent's state is unknown: its replica has died,
 * or all servers were restarted.
 */
import type { ClusterRecord } from '../status/cluster-record.ts';
import { type AgentStatus, agentStatus, agentStatusBefore } from '../status/cluster-status.ts';

export class LastAgentStatuses {
  readonly #now: () => Date;
  readonly #previousLeaderUntil: Date | undefined;
  readonly #reported = new Map<string, AgentStatus>();

  /**
   * @param previousLeaderUntil until when another replica reported agents; undefined if none did, or it is not known
   */
  constructor(now: () => Date, previousLeaderUntil: Date | undefined) {
    this.#now = now;
    this.#previousLeaderUntil = previousLeaderUntil;
  }

  /**
   * The status to report for a cluster's agent. @param live the API server's status, for a cluster that this replica
   * has not reported yet
   */
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
