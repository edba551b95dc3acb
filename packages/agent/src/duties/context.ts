/** What duties are given: what every replica has, and what only the leader has. */
import type { Clock, KubeConnection } from '@meshrelay/kube';
import type { LoadedPlugin } from '@meshrelay/relay-core';
import type { Logger, Metrics, Tracer } from '@meshrelay/telemetry';
import type { AgentConfig } from '../config/config.ts';
import type { Reign } from '../leadership/reign.ts';
import type { AgentStatus } from '../status/agent-status.ts';

export interface AgentContext {
  readonly config: AgentConfig;
  /** This replica's name. */
  readonly replica: string;
  readonly connection: KubeConnection;
  readonly plugins: readonly LoadedPlugin[];
  readonly clock: Clock;
  readonly now: () => Date;
  readonly random: () => number;
  readonly logger: Logger;
  readonly tracer: Tracer;
  readonly metrics: Metrics;
  readonly status: AgentStatus;
  /** The token of the environment that is this agent's identity (`relay.mode: tls`). In no configuration, since that is logged. */
  readonly token: string | undefined;
}

export interface LeaderContext extends AgentContext {
  readonly reign: Reign;
}
