/**
 * Announces this replica by a Lease in the management cluster, with its version and its problems. This needs neither
 * Redis nor the leader.
 */
import { clearInterval, setInterval } from 'node:timers';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Lease, LeaseClient } from '@meshrelay/agent-leader';
import { isLostRace } from '@meshrelay/agent-leader/coordination';
import { PROBLEMS_ANNOTATION, PROGRAM_ANNOTATION, REPLICA_LEASES } from '@meshrelay/relay-core';
import type { Logger } from '@meshrelay/telemetry';
import { PROGRAM } from '../program.ts';

export interface ReplicaLeaseOptions {
  readonly leases: LeaseClient;
  readonly namespace: string;
  readonly replica: string;
  /** Unique for this process: a replica that restarts is another holder. */
  readonly identity: string;
  readonly now: () => Date;
  /** Present problems of this replica; each a clause without a full stop. */
  readonly problems: () => readonly string[];
  /** Whether this replica leads: the leader releases Leases of replicas that are gone. */
  readonly leads: () => boolean;
  readonly logger: Logger;
}

/** Seconds without a renewal after which a replica counts as silent. */
export const REPLICA_LEASE_SECONDS = 30;
/** Milliseconds between renewals. */
const RENEW_EVERY = 10_000;
/** Milliseconds between checks of the problems; a change is written at once. */
const POLL_INTERVAL_MS = 1_000;
/** Milliseconds after which the leader releases the Lease of a silent replica. */
const FORGET_AFTER = 10 * 60_000;
/**
 * Milliseconds that the release may take at shutdown. `meshctl check` reports a Lease that was not released for ten
 * minutes, and an API server takes seconds while it replaces CRDs.
 */
const RELEASE_GRACE = 5_000;

interface Annotated extends Lease {
  readonly metadata: Lease['metadata'] & { readonly annotations?: Readonly<Record<string, string>> };
}

export class ReplicaLease implements AsyncDisposable {
  readonly #options: ReplicaLeaseOptions;
  readonly #timer: NodeJS.Timeout;
  readonly #stop = new AbortController();
  #name: string | undefined;
  #written: { readonly problems: string; readonly at: number } | undefined;
  #running: Promise<void> | undefined;
  #failing = false;
  #ended = false;
  #swept = 0;

  constructor(options: ReplicaLeaseOptions) {
    this.#options = options;
    this.#timer = setInterval(() => void this.check(), POLL_INTERVAL_MS).unref();
    void this.check();
  }

  /** Renews the Lease if due. Never rejects. */
  check(): Promise<void> {
    this.#running ??= this.#check().finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }

  /** Releases the Lease after the current write: an aborted write could arrive after the release. */
  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#timer);
    this.#ended = true;
    const grace = new AbortController();
    const late = sleep(RELEASE_GRACE, undefined, { signal: grace.signal }).then(
      () => this.#stop.abort(),
      () => undefined,
    );
    try {
      await this.#running;
      await this.#release();
    } catch (error) {
      this.#options.logger.warn('the Lease of this replica was not released; it expires', { error });
    }
    grace.abort();
    await late;
  }

  async #check(): Promise<void> {
    const { now, problems, logger, leads } = this.#options;
    const text = problems().join('; ');
    const at = now().getTime();
    const isDue = at - (this.#written?.at ?? 0) >= RENEW_EVERY || at < (this.#written?.at ?? 0);
    if (!isDue && text === this.#written?.problems) return;
    try {
      await this.#renew(text);
      this.#written = { problems: text, at };
      if (leads()) await this.#forgetOthers(at);
      if (this.#failing) logger.info('the Lease of this replica is renewed again');
      this.#failing = false;
    } catch (error) {
      if (isLostRace(error) || this.#ended) return;
      if (!this.#failing)
        logger.warn('the Lease of this replica cannot be written; meshctl check does not list this replica meanwhile', {
          error,
        });
      this.#failing = true;
    }
  }

  async #renew(problems: string): Promise<void> {
    const { leases, namespace, identity } = this.#options;
    const { signal } = this.#stop;
    const known = this.#name === undefined ? undefined : await leases.get(namespace, this.#name, signal);
    if (known?.spec?.holderIdentity === identity) {
      await leases.update(this.#held(known, problems), signal);
      return;
    }
    this.#name = undefined;
    for (const name of REPLICA_LEASES) {
      const found = await leases.get(namespace, name, signal);
      if (found !== undefined && !this.#isFree(found)) continue;
      try {
        if (found === undefined) await leases.create(this.#held({ metadata: { name, namespace } }, problems), signal);
        else await leases.update(this.#held(found, problems), signal);
      } catch (error) {
        if (isLostRace(error)) continue;
        throw error;
      }
      this.#name = name;
      return;
    }
    throw new Error(
      `all ${REPLICA_LEASES.length} Leases of replicas are held in namespace ${namespace}; run fewer replicas`,
    );
  }

  #held(lease: Annotated, problems: string): Lease {
    const { identity, now } = this.#options;
    const time = microTime(now());
    const acquired = lease.spec?.holderIdentity === identity ? lease.spec.acquireTime : undefined;
    const annotations: Record<string, string> = { ...lease.metadata.annotations, [PROGRAM_ANNOTATION]: PROGRAM };
    if (problems === '') delete annotations[PROBLEMS_ANNOTATION];
    else annotations[PROBLEMS_ANNOTATION] = problems;
    const metadata: Annotated['metadata'] = { ...lease.metadata, annotations };
    return {
      ...lease,
      metadata,
      spec: {
        holderIdentity: identity,
        leaseDurationSeconds: REPLICA_LEASE_SECONDS,
        acquireTime: acquired ?? time,
        renewTime: time,
      },
    };
  }

  #isFree({ spec }: Lease): boolean {
    return isReleased(spec) || this.#silentFor(spec) > REPLICA_LEASE_SECONDS * 1000;
  }

  /** Milliseconds since the last renewal. */
  #silentFor(spec: Lease['spec']): number {
    const renewed = Date.parse(spec?.renewTime ?? '');
    return Number.isNaN(renewed) ? Number.POSITIVE_INFINITY : this.#options.now().getTime() - renewed;
  }

  /** A replica that did not shut down in order leaves its Lease behind. */
  async #forgetOthers(at: number): Promise<void> {
    if (at - this.#swept < FORGET_AFTER / 10) return;
    this.#swept = at;
    const { leases, namespace } = this.#options;
    for (const name of REPLICA_LEASES) {
      const found = await leases.get(namespace, name, this.#stop.signal);
      if (found === undefined) return;
      if (isReleased(found.spec) || this.#silentFor(found.spec) <= FORGET_AFTER) continue;
      await leases.update(released(found), this.#stop.signal);
    }
  }

  async #release(): Promise<void> {
    if (this.#name === undefined) return;
    const { leases, namespace, identity } = this.#options;
    const { signal } = this.#stop;
    const found = await leases.get(namespace, this.#name, signal);
    if (found?.spec?.holderIdentity === identity) await leases.update(released(found), signal);
  }
}

function isReleased(spec: Lease['spec']): boolean {
  return spec?.holderIdentity === undefined || spec.holderIdentity === '';
}

function released(lease: Annotated): Lease {
  const {
    [PROGRAM_ANNOTATION]: _program,
    [PROBLEMS_ANNOTATION]: _problems,
    ...annotations
  } = lease.metadata.annotations ?? {};
  const metadata: Annotated['metadata'] = { ...lease.metadata, annotations };
  return { ...lease, metadata, spec: { ...lease.spec, holderIdentity: '', leaseDurationSeconds: 1 } };
}

/** In the API server's format: RFC 3339 with microseconds. */
function microTime(time: Date): string {
  return time.toISOString().replace('Z', '000Z');
}
