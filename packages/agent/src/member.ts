/**
 * A cluster that takes part without an agent in it: another program runs the leader controllers through the cluster's
 * API.
 */
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
  readonly replica: string;
  /** Connection to the cluster's API server. The caller closes it. */
  readonly connection: KubeConnection;
  readonly plugins: readonly LoadedPlugin[];
  /** Flags with which meshctl prints the permissions that this program needs in the cluster. */
  readonly rightsFlags: readonly string[];
  /** Transport to the server, created for each term. */
  readonly transport: () => ServerTransport;
  readonly counters: ApplyCounters;
  /** Called when the cluster's API server is unavailable or denies access to the Lease, and when it works again. */
  readonly onElection?: (trouble: ElectionTrouble) => void;
  readonly logger: Logger;
  readonly tracer: Tracer;
  readonly clock?: Clock;
  readonly now?: () => Date;
  readonly random?: () => number;
}

/** Contends for the cluster's Lease and leads while holding it. Disposal ends that, and releases the Lease last. */
export type Member = AsyncDisposable;

/**
 * It uses the same Lease, term and fence as an agent. So two programs never write at once, whatever the mode of each.
 */
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
