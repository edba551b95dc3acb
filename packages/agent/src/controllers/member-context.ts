/** Context that agents share with programs that run without an agent in the cluster. */
import { uniqueIdentity } from '@meshrelay/agent-leader';
import { type Clock, systemClock } from '@meshrelay/kube';
import { silentTracer, type Tracer } from '@meshrelay/telemetry';
import { rightsCommand } from '../rights/missing-right.ts';
import { AgentStatus } from '../status/agent-status.ts';
import type { ApplyCounters } from '../status/metrics.ts';
import type { MemberContext } from './context.ts';

/** Required dependencies, and those with a default. */
export interface MemberContextOptions
  extends Pick<MemberContext, 'config' | 'connection' | 'plugins' | 'logger' | 'onElection'> {
  readonly replica: string;
  readonly counters: ApplyCounters;
  /** Flags with which meshctl prints the permissions that this program needs in the cluster; empty for an agent. */
  readonly rightsFlags?: readonly string[];
  readonly tracer?: Tracer | undefined;
  readonly clock?: Clock | undefined;
  readonly now?: (() => Date) | undefined;
  readonly random?: (() => number) | undefined;
}

export function memberContext({
  replica,
  counters,
  rightsFlags,
  tracer = silentTracer,
  clock = systemClock,
  now = () => new Date(),
  random = Math.random,
  ...given
}: MemberContextOptions): MemberContext {
  const { config, connection, plugins, logger, onElection } = given;
  return {
    config,
    connection,
    plugins,
    clock,
    now,
    random,
    logger,
    tracer,
    status: new AgentStatus(counters, uniqueIdentity(replica)),
    ...(onElection === undefined ? {} : { onElection }),
    rightsCommand: rightsCommand(config.namespace, rightsFlags),
  };
}
