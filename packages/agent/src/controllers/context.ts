/** Context of controllers: the part that every replica has, and the part that only the leader has. */
import type { Clock, KubeConnection } from '@meshrelay/kube';
import type { LoadedPlugin } from '@meshrelay/relay-core';
import type { Logger, Metrics, Tracer } from '@meshrelay/telemetry';
import type { AgentConfig, MemberConfig } from '../config/config.ts';
import type { DataPlane } from '../data-plane/data-plane.ts';
import type { ElectionTrouble } from '../leadership/election-log.ts';
import type { LeaderTerm } from '../leadership/leader-term.ts';
import type { Observer } from '../observe/observer.ts';
import type { RightsCommand } from '../rights/missing-right.ts';
import type { AgentStatus } from '../status/agent-status.ts';

/** Everything that a cluster needs to take part, for any transport to a server. */
export interface MemberContext {
  readonly config: MemberConfig;
  readonly connection: KubeConnection;
  readonly plugins: readonly LoadedPlugin[];
  readonly clock: Clock;
  readonly now: () => Date;
  readonly random: () => number;
  readonly logger: Logger;
  readonly tracer: Tracer;
  readonly status: AgentStatus;
  /** Called when the Lease can be neither read nor written, and when it can again. */
  readonly onElection?: (trouble: ElectionTrouble) => void;
  /** Returns the command that grants missing permissions. */
  readonly rightsCommand: RightsCommand;
}

/** Adds the parts that only an agent process has. */
export interface AgentContext extends MemberContext {
  readonly config: AgentConfig;
  /**
   * Identity token of this agent from the environment (`relay.mode: tls`). It is not in the configuration, because that
   * is logged.
   */
  readonly token: string | undefined;
  readonly metrics: Metrics;
  /** The data plane of this replica, whether it leads or not. */
  readonly dataPlane: DataPlane;
  readonly replica: string;
  /** Answers queries about what this replica received. */
  readonly observer: Observer;
}

/** Context for one term. */
export type Leading<Context extends MemberContext> = Context & { readonly leaderTerm: LeaderTerm };
export type LeaderContext = Leading<AgentContext>;
