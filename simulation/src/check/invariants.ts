/** Safety invariants, checked on writes that land at the API servers, never on the programs' own statements. */
import type { KubeObject } from '@meshrelay/api';
import { REPLICA_LEASES } from '@meshrelay/relay-core';
import { MANAGEMENT } from '../fleet/fleet.ts';
import type { Write } from '../kube/api-server.ts';
import { contentOf, isManaged, termOf } from './managed.ts';
import { ABSENT, type Oracle } from './oracle.ts';
import type { Invariant, Violation } from './violation.ts';

const LEDGERS = 'admin.meshrelay.dev/outputledgers';
const LEASES = 'coordination.k8s.io/leases';
/**
 * Milliseconds after a renewal in which no other replica may take a Lease of 15 s, whatever the clocks of the two do.
 */
const HELD = 10_000;

/** State of the writers of one cluster. */
interface Writers {
  /** The highest term that ever began. */
  term: number;
  /** When that term began. */
  since: number;
  /** The last term that each process began. */
  readonly terms: Map<string, number>;
  /** The first writer of each term. */
  readonly holders: Map<number, string>;
  /** Whether the Lease was tampered with, or a clock stood still: then only the objects themselves are fenced. */
  unfenced: boolean;
  /** The last renewal of the Lease, and its holder; undefined if the Lease was released or tampered with. */
  lease: { readonly actor: string; readonly at: number } | undefined;
}

export class Invariants {
  readonly violations: Violation[] = [];
  /** Number of checks made. */
  checks = 0;
  readonly #oracle: Oracle;
  readonly #writers = new Map<string, Writers>();
  /** Clusters whose registration has ended at least once. */
  readonly #ended = new Set<string>();

  constructor(oracle: Oracle) {
    this.#oracle = oracle;
  }

  /**
   * From now on, two replicas of this cluster's agent may believe that they lead: leases were tampered with, or a clock
   * stood still.
   */
  unfence(cluster: string): void {
    this.#of(cluster).unfenced = true;
  }

  /** A user approves the held deletions of a cluster. */
  approved(cluster: string): void {
    this.#oracle.approved(cluster);
  }

  /** A write landed. */
  check(host: string, write: Write): void {
    if (host === MANAGEMENT) this.#registry(write);
    if (write.resource === LEASES && !isOfReplica(write)) this.#lease(host, write);
    if (host === MANAGEMENT || write.actor === '') return;
    if (write.resource === LEDGERS) this.#ledger(host, write);
    if (!isManaged(write.after) && !isManaged(write.before)) return;
    this.#fence(host, write);
    this.#content(host, write);
  }

  #registry({ before, after }: Write): void {
    if (before?.kind === 'KubernetesCluster' && after === undefined) this.#ended.add(before.metadata.name);
  }

  /** I6: no replica takes the Lease from a holder that has just renewed it. */
  #lease(host: string, write: Write): void {
    const { actor, at, after } = write;
    const holders = this.#of(host);
    const { lease } = holders;
    this.checks++;
    if (actor !== '' && lease !== undefined && lease.actor !== actor && at - lease.at < HELD)
      this.#violated(
        'I6',
        write,
        `${actor} took the Lease of ${host} ${Math.round(at - lease.at)} ms after ${lease.actor} had renewed it`,
      );
    const isHeld = actor !== '' && Boolean((after?.spec as { holderIdentity?: string } | undefined)?.holderIdentity);
    holders.lease = isHeld ? { actor, at } : undefined;
  }

  /**
   * I5: each leader term has its own number. Once a newer term has begun, no replica sends a write of an older one. A
   * write of the older term that is already in flight overwrites no object of the newer term, and deletes nothing.
   */
  #fence(cluster: string, write: Write): void {
    const { before, after, actor } = write;
    this.checks++;
    const writers = this.#of(cluster);
    const term = termOf(after) ?? writers.terms.get(actor) ?? 0;
    const former = termOf(before) ?? 0;
    const wasOnItsWay = after !== undefined && write.sentAt < writers.since;
    const holder = writers.holders.get(term) ?? actor;
    writers.holders.set(term, holder);
    if (term > 0 && holder !== actor)
      this.#violated('I5', write, `${actor} wrote ${write.id} in ${cluster} in term ${term} of ${holder}`);
    if (term < former)
      this.#violated('I5', write, `${actor} of term ${term} wrote ${write.id} in ${cluster}, which has term ${former}`);
    // A late create may land; the new leader deletes the object. A late update may land too; the new leader repairs the
    // object.
    else if (before !== undefined && term < writers.term && !wasOnItsWay && !writers.unfenced)
      this.#violated('I5', write, `${actor} of term ${term} wrote ${write.id} in ${cluster} in term ${writers.term}`);
  }

  /** I3, I7, I10: each write is a legal successor of the object's previous state. */
  #content(cluster: string, write: Write): void {
    const { before, after, id, actor } = write;
    this.checks += 4;
    const from = before === undefined ? ABSENT : contentOf(before);
    const to = after === undefined ? ABSENT : contentOf(after);
    if (from === to) {
      // A new leader writes an object once if a former leader may still have a write of it in flight.
      if ((termOf(after) ?? 0) <= (termOf(before) ?? 0))
        this.#violated('I10', write, `${actor} wrote ${id} in ${cluster} again as it was`);
    } else if (to === ABSENT && this.#oracle.isGuarded(cluster, id)) {
      this.#violated('I3', write, `${actor} deleted ${id} in ${cluster}, one of many without an approval`);
    } else if (!this.#oracle.wasDesired(cluster, id, from)) {
      // A user edited the object, or it mixes states that never existed together; every next write repairs it.
    } else if (!this.#oracle.mayFollow(cluster, id, from, to, write.sentAt)) {
      if (to === ABSENT) this.#violated('I3', write, `${actor} deleted ${id} in ${cluster}, which was always desired`);
      else if (this.#oracle.wasDesired(cluster, id, to))
        this.#violated('I7', write, `${actor} took ${id} in ${cluster} back to what it was before`);
    }
  }

  #ledger(cluster: string, write: Write): void {
    const { before, after, actor } = write;
    const { term = 0 } = specOf(after);
    const writers = this.#of(cluster);
    if (after !== undefined && term > (writers.terms.get(actor) ?? 0)) writers.terms.set(actor, term);
    if (term > writers.term) Object.assign(writers, { term, since: write.at });
    this.checks++;
    const { inputVector: old = {} } = specOf(before);
    const { inputVector: now = {} } = specOf(after);
    for (const [name, version] of Object.entries(old)) {
      const next = now[name];
      // The cluster's registration may have ended, and its entry been removed, between two writes of the ledger.
      if (next === undefined && this.#ended.has(name)) continue;
      if (after === undefined || isBefore(next, version))
        this.#violated('I7', write, `the applied inputs of ${cluster} went from ${name}=${version} to ${next}`);
    }
  }

  #violated(invariant: Invariant, { at }: Write, message: string): void {
    this.violations.push({ invariant, at, message });
  }

  #of(cluster: string): Writers {
    const known = this.#writers.get(cluster);
    if (known !== undefined) return known;
    const writers: Writers = {
      term: 0,
      since: 0,
      terms: new Map(),
      holders: new Map(),
      unfenced: false,
      lease: undefined,
    };
    this.#writers.set(cluster, writers);
    return writers;
  }
}

interface LedgerSpec {
  readonly term?: number;
  readonly inputVector?: Readonly<Record<string, string>>;
}

function specOf(object: KubeObject | undefined): LedgerSpec {
  return (object?.spec ?? {}) as LedgerSpec;
}

/** Versions are TERM/SEQ, or `gone`, which both follows and precedes every version. */
function isBefore(next: string | undefined, version: string): boolean {
  if (next === undefined) return version !== 'gone';
  if (next === 'gone' || version === 'gone') return false;
  const [term = 0, seq = 0] = next.split('/').map(Number);
  const [oldTerm = 0, oldSeq = 0] = version.split('/').map(Number);
  return term < oldTerm || (term === oldTerm && seq < oldSeq);
}

/** The Lease by which a replica announces itself: it grants no permission to write, so it fences nothing. */
function isOfReplica({ before, after }: Write): boolean {
  return REPLICA_LEASES.includes((after ?? before)?.metadata.name ?? '');
}
