/** Contends for the Lease, and runs the leader controllers while holding it. */
import { LeaderElector } from '@meshrelay/agent-leader';
import { coordinationLeases } from '@meshrelay/agent-leader/coordination';
import { aborted } from '@meshrelay/host';
import { OutputLedgerTerm } from '@meshrelay/kube';
import { MEMBER_LEASE } from '@meshrelay/relay-core';
import type { Leading, MemberContext } from '../controllers/context.ts';
import type { LeaderController } from '../controllers/controllers.ts';
import { ElectionLog } from './election-log.ts';
import { LeaderTerm } from './leader-term.ts';

/** Kubernetes' own defaults in milliseconds; the configuration can override them. */
const DEFAULTS = { leaseDuration: 15_000, renewDeadline: 10_000 };

/** Contends until disposed. Disposal stops the leader controllers, then releases the Lease. */
export class LeadershipContest<Context extends MemberContext> implements AsyncDisposable {
  readonly #agent: Context;
  readonly #controllers: readonly LeaderController<Leading<Context>>[];
  readonly #elector: LeaderElector;
  readonly #stop = new AbortController();
  /** The newest term that any leader term of this process has observed in the cluster. */
  #seenTerm = 0;
  readonly #running: Promise<void>;

  /** @param controllers the leader's controllers, in the order in which they start */
  constructor(agent: Context, controllers: readonly LeaderController<Leading<Context>>[]) {
    this.#agent = agent;
    this.#controllers = controllers;
    const { connection, config, logger, random, status } = agent;
    const { namespace, leaderElection } = config;
    const { identity } = status;
    const log = logger.child('leadership');
    const { failed, recovered } = new ElectionLog(log, agent.onElection);
    this.#elector = new LeaderElector({
      leases: coordinationLeases(connection.coordinationApi()),
      terms: new OutputLedgerTerm({ connection, namespace, holder: identity, floor: () => this.#seenTerm, random }),
      name: MEMBER_LEASE,
      namespace,
      identity,
      ...given(leaderElection),
      random,
      onStartedLeading: (term, signal) => this.#lead(term, signal),
      onNewLeader: (holder) => {
        status.leader = holder;
        log.info('the Lease has a holder', { holder });
      },
      onError: failed,
      onRecovered: recovered,
    });
    this.#running = this.#elector.run(this.#stop.signal);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    await this.#running;
  }

  /** Runs one term. Rejects, and so gives up leadership, when the term cannot continue. */
  async #lead(term: number, signal: AbortSignal): Promise<void> {
    const agent = this.#agent;
    const logger = agent.logger.with({ term });
    const over = Promise.withResolvers<never>();
    // The term may end before its end is awaited.
    over.promise.catch(() => undefined);
    const leaderTerm = new LeaderTerm({
      agent: { ...agent, logger },
      term,
      leadership: this.#elector,
      requestTimeout: this.#requestTimeout(),
      over: over.reject,
      outdated: (seen) => {
        this.#seenTerm = Math.max(this.#seenTerm, seen);
      },
    });
    logger.info('this replica leads');
    agent.status.leaderTerm = leaderTerm;
    signal.addEventListener('abort', () => leaderTerm.endSoon(), { once: true });
    try {
      await using work = new AsyncDisposableStack();
      for (const controller of this.#controllers) work.use(await controller.start({ ...agent, logger, leaderTerm }));
      await Promise.race([aborted(signal), over.promise]).finally(() => leaderTerm.endSoon());
    } finally {
      agent.status.leaderTerm = undefined;
      logger.info('this replica no longer leads');
    }
  }

  #requestTimeout(): number {
    const { leaseDuration = DEFAULTS.leaseDuration, renewDeadline = DEFAULTS.renewDeadline } =
      this.#agent.config.leaderElection;
    return leaseDuration - renewDeadline;
  }
}

/** Only the settings that have a value. */
function given<T extends object>(settings: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  const set = Object.entries(settings).filter(([, value]) => value !== undefined);
  return Object.fromEntries(set) as { [K in keyof T]?: Exclude<T[K], undefined> };
}
