/** A cluster that takes part without an agent in it: another program does the leader's duties over the cluster's API. */
import type { Clock, KubeConnection } from '@meshrelay/kube';
import type { LoadedPlugin } from '@meshrelay/relay-core';
import type { Logger, Tracer } from '@meshrelay/telemetry';
import type { MemberConfig } from './config/config.ts';
import { memberControllers } from './controllers/controllers.ts';
import { memberContext } from './controllers/member-context.ts';
import type { ElectionTrouble } from './leadership/election-log.ts';
import { LeadershipContest } from './leadership/leadership.ts';
import type { ServerTransport } from './relay/server-transport.ts';
import type { ApplyCounters } from './status/metrics.ts';

export interface MemberOptions {
  readonly config: MemberConfig;
  /** This replica's name. */
  readonly replica: string;
  /** To the cluster's API server; stays the caller's to close. */
  readonly connection: KubeConnection;
  readonly plugins: readonly LoadedPlugin[];
  /** The flags by which meshctl prints what this program must be allowed to do in the cluster. */
  readonly rightsFlags: readonly string[];
  /** To the server; laid anew for each term. */
  readonly transport: () => ServerTransport;
  readonly counters: ApplyCounters;
  /** Told when the cluster's API server cannot be asked for the Lease, or says no; and when it can again. */
  readonly onElection?: (trouble: ElectionTrouble) => void;
  readonly logger: Logger;
  readonly tracer: Tracer;
  readonly clock?: Clock;
  readonly now?: () => Date;
  readonly random?: () => number;
}

/** Contends for the cluster's Lease and leads while it holds it. Disposing of it ends that, and releases the Lease last. */
export type Member = AsyncDisposable;

/** The Lease, the term and its fence are an agent's own, so that never two programs write, whatever the mode of each. */
export function startMember(options: MemberOptions): Member {
  const { transport } = options;
  const context = memberContext(options);
  const controllers = memberControllers({
    name: 'road',
    runsOn: 'leader',
    start({ leaderTerm }) {
      leaderTerm.transport = transport();
      return new AsyncDisposableStack();
    },
  });
  return new LeadershipContest(context, controllers);
}
