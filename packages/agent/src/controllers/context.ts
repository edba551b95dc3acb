/** What duties are given: what every replica has, and what only the leader has. */
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

/** What it takes to have a cluster take part, whatever the road to a server. */
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
  /** Told when the Lease can be neither read nor written, and when it can again. */
  readonly onElection?: (trouble: ElectionTrouble) => void;
  /** Gives rights that are missing. */
  readonly rightsCommand: RightsCommand;
}

/** An agent has a life of its own besides. */
export interface AgentContext extends MemberContext {
  readonly config: AgentConfig;
  /** The token of the environment that is this agent's identity (`relay.mode: tls`). In no configuration, since that is logged. */
  readonly token: string | undefined;
  readonly metrics: Metrics;
  /** What this replica has for proxies, whether it leads or not. */
  readonly dataPlane: DataPlane;
  /** This replica's name. */
  readonly replica: string;
  /** Answers for what this replica received. */
  readonly observer: Observer;
}

/** For one term. */
export type Leading<Context extends MemberContext> = Context & { readonly leaderTerm: LeaderTerm };
export type LeaderContext = Leading<AgentContext>;
