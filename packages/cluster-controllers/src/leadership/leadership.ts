/** Contends for the Lease of a cluster, and runs the work of its leader while holding it. */
import { LeaderElector } from '@meshrelay/agent-leader';
import { coordinationLeases } from '@meshrelay/agent-leader/coordination';
import { aborted } from '@meshrelay/concurrency';
import { OutputLedgerTerm } from '@meshrelay/kube';
import { MEMBER_LEASE } from '@meshrelay/relay-core';
import type { Logger } from '@meshrelay/telemetry';
import type { ClusterContext } from '../cluster-context.ts';
import { type ElectionError, ElectionLog } from './election-log.ts';
import { Term } from './term.ts';

export interface LeadershipContestOptions {
  readonly context: ClusterContext;
  /** Starts the work of one term; disposing of the result ends it. Its log lines contain the term. */
  readonly lead: (term: Term, logger: Logger) => Promise<AsyncDisposable>;
  /** Called with the identity of each new holder of the Lease. */
  readonly onNewLeader?: ((holder: string) => void) | undefined;
  /** Called when the Lease can be neither read nor written, and when it can again. */
  readonly onElection?: ((failure: ElectionError) => void) | undefined;
}

/** Kubernetes' own defaults in milliseconds; the configuration can override them. */
const DEFAULTS = { leaseDuration: 15_000, renewDeadline: 10_000 };

/** Contends until disposed. Disposal ends the work of the leader, then releases the Lease. */
export class LeadershipContest implements AsyncDisposable {
  readonly #options: LeadershipContestOptions;
  readonly #elector: LeaderElector;
  readonly #stop = new AbortController();
  /** The newest term that any term of this process has observed in the cluster. */
  #seenTerm = 0;
  readonly #running: Promise<void>;

  constructor(options: LeadershipContestOptions) {
    this.#options = options;
    const { context, onNewLeader, onElection } = options;
    const { connection, config, identity, logger, random } = context;
    const { namespace, leaderElection } = config;
    const log = logger.child('leadership');
    const { failed, recovered } = new ElectionLog(log, onElection);
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
        onNewLeader?.(holder);
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
  async #lead(number: number, signal: AbortSignal): Promise<void> {
    const logger = this.#options.context.logger.with({ term: number });
    const over = Promise.withResolvers<never>();
    // The term may end before its end is awaited.
    over.promise.catch(() => undefined);
    const term = new Term({
      number,
      leadership: this.#elector,
      requestTimeout: this.#requestTimeout(),
      over: over.reject,
      outdated: (seen) => {
        this.#seenTerm = Math.max(this.#seenTerm, seen);
      },
    });
    logger.info('this replica leads');
    signal.addEventListener('abort', () => term.endSoon(), { once: true });
    try {
      await using _work = await this.#options.lead(term, logger);
      await Promise.race([aborted(signal), over.promise]).finally(() => term.endSoon());
    } finally {
      logger.info('this replica no longer leads');
    }
  }

  #requestTimeout(): number {
    const { leaseDuration = DEFAULTS.leaseDuration, renewDeadline = DEFAULTS.renewDeadline } =
      this.#options.context.config.leaderElection;
    return leaseDuration - renewDeadline;
  }
}

/** Only the settings that have a value. */
function given<T extends object>(settings: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  const set = Object.entries(settings).filter(([, value]) => value !== undefined);
  return Object.fromEntries(set) as { [K in keyof T]?: Exclude<T[K], undefined> };
}
