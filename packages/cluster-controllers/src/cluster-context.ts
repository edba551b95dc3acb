/** What the controllers of a cluster work with, for any transport to a server. */
import { uniqueIdentity } from '@meshrelay/agent-leader';
import { type Clock, systemClock } from '@meshrelay/concurrency';
import type { KubeConnection } from '@meshrelay/kube';
import type { LoadedPlugin } from '@meshrelay/relay-core';
import { type Logger, silentTracer, type Tracer } from '@meshrelay/telemetry';
import type { ApplyCounters } from './apply/apply-counters.ts';
import type { ClusterConfig } from './cluster-config.ts';
import { type RightsCommand, rightsCommand } from './rights/missing-right.ts';

export interface ClusterContext {
  readonly config: ClusterConfig;
  readonly connection: KubeConnection;
  readonly plugins: readonly LoadedPlugin[];
  /** Identity of this process in the Lease. */
  readonly identity: string;
  /** Name and version of this program, for the server. */
  readonly program: string;
  readonly counters: ApplyCounters;
  /** Returns the command that grants missing permissions. */
  readonly rightsCommand: RightsCommand;
  readonly clock: Clock;
  readonly now: () => Date;
  readonly random: () => number;
  readonly logger: Logger;
  readonly tracer: Tracer;
}

/** Required dependencies, and those with a default. */
export interface ClusterContextOptions
  extends Pick<ClusterContext, 'config' | 'connection' | 'plugins' | 'program' | 'counters' | 'logger'> {
  readonly replica: string;
  /** Flags with which meshctl prints the permissions that this program needs in the cluster; empty for an agent. */
  readonly rightsFlags?: readonly string[] | undefined;
  readonly tracer?: Tracer | undefined;
  readonly clock?: Clock | undefined;
  readonly now?: (() => Date) | undefined;
  readonly random?: (() => number) | undefined;
}

export function clusterContext({
  replica,
  rightsFlags,
  tracer = silentTracer,
  clock = systemClock,
  now = () => new Date(),
  random = Math.random,
  ...given
}: ClusterContextOptions): ClusterContext {
  const { config, connection, plugins, program, counters, logger } = given;
  return {
    config,
    connection,
    plugins,
    identity: uniqueIdentity(replica),
    program,
    counters,
    rightsCommand: rightsCommand(config.namespace, rightsFlags),
    clock,
    now,
    random,
    logger,
    tracer,
  };
}
