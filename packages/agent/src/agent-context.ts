/** What the parts of an agent work with, on every replica. */
import type { ClusterContext } from '@meshrelay/cluster-controllers';
import type { Metrics } from '@meshrelay/telemetry';
import type { AgentConfig } from './config/config.ts';
import type { DataPlane } from './data-plane/data-plane.ts';
import type { Observer } from './observe/observer.ts';
import type { AgentStatus } from './status/agent-status.ts';

export interface AgentContext extends ClusterContext {
  readonly config: AgentConfig;
  /**
   * Identity token of this agent from the environment (`relay.mode: tls`). It is not in the configuration, because that
   * is logged.
   */
  readonly token: string | undefined;
  readonly metrics: Metrics;
  readonly status: AgentStatus;
  /** The data plane of this replica, whether it leads or not. */
  readonly dataPlane: DataPlane;
  readonly replica: string;
  /** Answers queries about what this replica received. */
  readonly observer: Observer;
}
