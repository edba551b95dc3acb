/** Safety, judged by what lands at the API servers: never by what programs say of themselves. */
import type { KubeObject } from '@meshrelay/api';
import { REPLICA_LEASES } from '@meshrelay/relay-core';
import { MANAGEMENT } from '../fleet/fleet.ts';
import type { Write } from '../kube/api-server.ts';
import { contentOf, isManaged, termOf } from './managed.ts';
import { ABSENT, type Oracle } from './oracle.ts';
import type { Invariant, Violation } from './violation.ts';

const LEDGERS = 'admin.meshrelay.dev/outputledgers';
const LEASES = 'coordination.k8s.io/leases';
/** Milliseconds after a renewal in which nobody else may take a Lease that lasts for 15 s, whatever the clocks of the two do. */
const HELD = 10_000;

/** What is known of the writers of one cluster. */
interface Writers {
  /** The highest term that was ever begun. */
  term: number;
  /** When it began. */
  since: number;
  /** The last term each process began. */
  readonly terms: Map<string, number>;
  /** Who wrote in a term first. */
  readonly holders: Map<number, string>;
  /** Whether somebody took the Lease's promise away, or a clock stood still: then only objects themselves are fenced. */
  unfenced: boolean;
  /** Who renewed the Lease last, and when; undefined where it was given back or tampered with. */
  lease: { readonly actor: string; readonly at: number } | undefined;
}

export class Invariants {
  readonly violations: Violation[] = [];
  /** How many judgements were made. */
  checks = 0;
  readonly #oracle: Oracle;
  readonly #writers = new Map<string, Writers>();
  /** Clusters whose registration has ended at some time. */
  readonly #ended = new Set<string>();

  constructor(oracle: Oracle) {
    this.#oracle = oracle;
  }

  /** From now on two replicas of this cluster's agent may believe to lead: leases were tampered with, or a clock stood still. */
  unfence(cluster: string): void {
    this.#of(cluster).unfenced = true;
  }

  /** Somebody approves what is held in a cluster. */
  approved(cluster: string): void {
    this.#oracle.approved(cluster);
  }

  /** Something landed. */
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

  /** I6: nobody takes the Lease from somebody who has just renewed it. */
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
   * I5: each reign has a term of its own. Nothing of an older one is sent once a newer one has begun; what was on its way then lands on nothing
   * that the newer one wrote, and deletes nothing.
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
    // A late create is allowed to land; the new leader removes it, or puts right what a late update has made of an object.
    else if (before !== undefined && term < writers.term && !wasOnItsWay && !writers.unfenced)
      this.#violated('I5', write, `${actor} of term ${term} wrote ${write.id} in ${cluster} in term ${writers.term}`);
  }

  /** I3, I7, I10: what is written follows what was there. */
  #content(cluster: string, write: Write): void {
    const { before, after, id, actor } = write;
    this.checks += 4;
    const from = before === undefined ? ABSENT : contentOf(before);
    const to = after === undefined ? ABSENT : contentOf(after);
    if (from === to) {
      // A new leader writes once what a former one may still have a write under way to.
      if ((termOf(after) ?? 0) <= (termOf(before) ?? 0))
        this.#violated('I10', write, `${actor} wrote ${id} in ${cluster} again as it was`);
    } else if (to === ABSENT && this.#oracle.isGuarded(cluster, id)) {
      this.#violated('I3', write, `${actor} deleted ${id} in ${cluster}, one of many that nobody has approved`);
    } else if (!this.#oracle.wasDesired(cluster, id, from)) {
      // Somebody's hand was in it, or it is a mixture of states that were never there at once; whatever follows mends it.
    } else if (!this.#oracle.mayFollow(cluster, id, from, to, write.sentAt)) {
      if (to === ABSENT) this.#violated('I3', write, `${actor} deleted ${id} in ${cluster}, which was always wanted`);
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
      // Its end may have been known and forgotten between two writes of the ledger.
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

/** Versions are TERM/SEQ, or `gone`, which follows every one and is followed by every one. */
function isBefore(next: string | undefined, version: string): boolean {
  if (next === undefined) return version !== 'gone';
  if (next === 'gone' || version === 'gone') return false;
  const [term = 0, seq = 0] = next.split('/').map(Number);
  const [oldTerm = 0, oldSeq = 0] = version.split('/').map(Number);
  return term < oldTerm || (term === oldTerm && seq < oldSeq);
}

/** The Lease by which a replica announces itself: it gives no right to write, so it fences nothing. */
function isOfReplica({ before, after }: Write): boolean {
  return REPLICA_LEASES.includes((after ?? before)?.metadata.name ?? '');
}
