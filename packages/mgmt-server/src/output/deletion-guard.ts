/**
 * The last look before anything is deleted in any cluster. What users are seen to delete takes its outputs with it at once; any other loss of many
 * outputs waits until somebody approves it. docs/adr/0015-shrink-guard.md says why it is judged by what a commit was of.
 */
import type { LedgerApproval } from '@meshrelay/api';
import {
  type ChangeSet,
  type DesiredObject,
  desiredKey,
  groupOf,
  type Key,
  key as keyOf,
  OWNER_LABEL,
  type PresentObject,
  policyKey,
  SOURCE_POLICIES_ANNOTATION,
} from '@meshrelay/relay-core';
import type { ObjectKey } from '@meshrelay/relay-protocol';
import type { Logger } from '@meshrelay/telemetry';
import type { Fleet } from '../store/fleet.ts';
import type { InputCause } from '../store/input-cause.ts';
import { ClusterDeletions, type DeletionCandidate, type HeldDeletionSet } from './cluster-deletions.ts';
import { EditThenDelete } from './edited-and-gone.ts';

export interface DeletionGuardOptions {
  readonly fleet: Pick<Fleet, 'controlPlane' | 'fleetState' | 'comparing'>;
  /** The value of the owner label. */
  readonly owner: string;
  /** Clusters that count, of which this process does not know everything, suspended or not: what others have because of them looks like a loss. */
  readonly unheard: () => readonly string[];
  readonly logger: Logger;
}

/** What may go, by cluster. */
export type DeletionCandidates = ReadonlyMap<string, readonly DeletionCandidate[]>;

/** A log line names this many of the objects. */
const NAMED = 5;

/** Follows every commit from the beginning, of all clusters: whichever replica comes to serve one has judged the same. */
export class DeletionGuard {
  readonly #options: DeletionGuardOptions;
  readonly #clusters = new Map<string, ClusterDeletions>();
  readonly #listeners = new Set<(cluster: string) => void>();
  /** By digest, what was told of each cluster last. */
  readonly #reported = new Map<string, string | undefined>();
  readonly #edited = new EditThenDelete();
  /** Whether a cluster was unheard when what the clusters have was judged. */
  #awaits = false;

  constructor(options: DeletionGuardOptions) {
    this.#options = options;
    const { fleetState, controlPlane } = options.fleet;
    for (const [key, { cluster }] of controlPlane.desired.entries()) this.#of(cluster).desired(key, true);
    for (const [key, present] of fleetState.present.entries()) this.#came(key, present);
    for (const [, approval] of fleetState.ledgerApprovals.entries()) this.#approve(approval);
  }

  /** Calls back when what is held in a cluster has changed. @returns what ends it */
  listen(listener: (cluster: string) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** What is held in a cluster. */
  heldIn(cluster: string): HeldDeletionSet | undefined {
    return this.#clusters.get(cluster)?.held;
  }

  /** Clusters in which something is held, sorted. */
  get holding(): string[] {
    return [...this.#clusters].flatMap(([cluster, { held }]) => (held === undefined ? [] : cluster)).sort();
  }

  /** What a cluster keeps although it is not desired: held, or not to be judged yet. */
  storedIn(cluster: string): DeletionCandidate[] {
    return [...(this.#clusters.get(cluster)?.retained() ?? [])];
  }

  /** How many objects of ours a cluster has, as its agent tells. */
  presentIn(cluster: string): number {
    return this.#clusters.get(cluster)?.present ?? 0;
  }

  /** Whether a cluster has an object, and it is ours. */
  isPresent(cluster: string, output: Key): boolean {
    return this.#clusters.get(cluster)?.has(output) ?? false;
  }

  /**
   * Takes up a finished commit.
   * @param evaluated whether lost outputs are to be judged. Before safe mode has ended nothing was desired, and so nothing is lost
   * @returns what may go of what is desired no more
   */
  follow(changes: ChangeSet, cause: InputCause, evaluated: boolean): DeletionCandidates {
    const { fleet } = this.#options;
    const going = new Map<string, DeletionCandidate[]>();
    const unheard = this.#options.unheard();
    const isIndeterminate = (candidate: DeletionCandidate): boolean => this.#isIndeterminate(candidate, unheard);
    const letGo = (cluster: string, candidates: readonly DeletionCandidate[]): void => {
      if (candidates.length === 0) return;
      const all = going.get(cluster) ?? [];
      for (const candidate of candidates) all.push(candidate);
      going.set(cluster, all);
    };
    for (const [cluster, lost] of this.#lost(changes)) {
      const deletions = this.#of(cluster);
      deletions.unwanted(lost.length);
      if (!evaluated) continue;
      if (cause.type === 'observed') letGo(cluster, deletions.prove(lost));
      else if (cause.type === 'comparison') letGo(cluster, deletions.defer(cause.cluster, lost));
      else {
        const mayGo = deletions.verify(lost, isIndeterminate);
        this.#noteHeld(cluster, lost, mayGo, changes);
        letGo(cluster, mayGo);
      }
    }
    for (const [cluster, candidates] of this.#goneSince(changes, cause)) letGo(cluster, candidates);
    for (const [cluster, deletions] of this.#clusters)
      for (const source of [...deletions.comparisons])
        if (!fleet.comparing.has(source)) letGo(cluster, deletions.compared(source, isIndeterminate));
    for (const { key, before, after } of changes.of(fleet.fleetState.present))
      if (after !== undefined && this.#isManaged(after)) this.#came(key, after);
      else if (before !== undefined) letGo(before.cluster, this.#clusters.get(before.cluster)?.went(key) ?? []);
    if (cause.type === 'observed')
      for (const [cluster, candidates] of this.#disowned(changes)) letGo(cluster, candidates);
    const isComplete = this.#awaits && unheard.length === 0;
    if (isComplete) this.#awaits = false;
    if (isComplete || changes.of(fleet.fleetState.unreadable).some(({ after }) => after === undefined))
      for (const [cluster, deletions] of this.#clusters)
        if (deletions.held !== undefined) letGo(cluster, deletions.reevaluate(isIndeterminate));
    for (const { after } of changes.of(fleet.fleetState.ledgerApprovals))
      if (after !== undefined) letGo(after.cluster, this.#approve(after));
    this.#announce();
    return going;
  }

  /**
   * To be called before a cluster's outputs are first said to be all there is: then the agent deletes what it has beyond them, and this process was not
   * there when that was desired.
   */
  settle(cluster: string): void {
    const deletions = this.#of(cluster);
    const { desired } = this.#options.fleet.controlPlane;
    const unheard = this.#options.unheard();
    this.#awaits ||= unheard.length > 0;
    deletions.verify(
      deletions.orphans((key) => desired.has(key)),
      (candidate) => this.#isIndeterminate(candidate, unheard),
    );
    this.#announce();
  }

  /** The cluster's registration ended. */
  forget(cluster: string): void {
    this.#clusters.delete(cluster);
    this.#announce();
  }

  #lost(changes: ChangeSet): Map<string, DeletionCandidate[]> {
    const lost = new Map<string, DeletionCandidate[]>();
    for (const { key, before, after } of changes.of(this.#options.fleet.controlPlane.desired)) {
      if (after !== undefined) this.#of(after.cluster).desired(key, before === undefined);
      else if (before !== undefined) {
        const candidates = lost.get(before.cluster) ?? [];
        candidates.push({ key, object: objectOf(before), desired: before, sourcePolicies: before.sourcePolicies });
        lost.set(before.cluster, candidates);
      }
    }
    return lost;
  }

  /** What is held for edits of what may yet go. */
  #noteHeld(
    cluster: string,
    lost: readonly DeletionCandidate[],
    mayGo: readonly DeletionCandidate[],
    changes: ChangeSet,
  ): void {
    if (mayGo.length === lost.length) return;
    const held = new Set(lost.map(({ key }) => key));
    for (const { key } of mayGo) held.delete(key);
    this.#edited.note(
      cluster,
      held,
      [...this.#inputs(changes)].map(({ input }) => input),
    );
  }

  /** What is held for edits of what was seen to go since. */
  *#goneSince(changes: ChangeSet, cause: InputCause): Generator<readonly [string, readonly DeletionCandidate[]]> {
    if (!this.#edited.isWaiting) return;
    for (const { input, isThere } of this.#inputs(changes)) {
      if (isThere || cause.type !== 'observed') this.#edited.stays(input);
      else
        for (const { cluster, outputs } of this.#edited.goes(input))
          yield [cluster, this.#of(cluster).release(({ key }) => outputs.has(key))];
    }
  }

  /** What changed of all that outputs follow from: our own objects in clusters are not among that. */
  *#inputs(changes: ChangeSet): Generator<{ readonly input: Key; readonly isThere: boolean }> {
    const { clusters, meshes, workloads, destinations, namespaces, policies, unreadable, settings, ledgers, present } =
      this.#options.fleet.fleetState;
    const sources = { clusters, meshes, workloads, destinations, namespaces, policies, unreadable, settings, ledgers };
    for (const [source, collection] of Object.entries(sources))
      for (const { key, after } of changes.of<unknown>(collection))
        yield { input: keyOf(source, key), isThere: after !== undefined };
    for (const { key, before, after } of changes.of(present)) {
      const one = after ?? before;
      if (one !== undefined && !this.#isManaged(one))
        yield { input: keyOf('present', key), isThere: after !== undefined };
    }
  }

  /** What is held, and all policies it was there for were deleted since. */
  *#disowned(changes: ChangeSet): Generator<readonly [string, readonly DeletionCandidate[]]> {
    const { policies, unreadable } = this.#options.fleet.fleetState;
    const gone = [...changes.of(policies), ...changes.of(unreadable)].some(({ after }) => after === undefined);
    if (!gone) return;
    for (const [cluster, deletions] of this.#clusters)
      yield [
        cluster,
        deletions.release(
          ({ sourcePolicies }) =>
            sourcePolicies.length > 0 &&
            sourcePolicies.map(policyKey).every((policy) => !policies.has(policy) && !unreadable.has(policy)),
        ),
      ];
  }

  /** Whether it may be there for what nobody can say now: for a policy that cannot be read, or, if it was there before this process, for a cluster that is unheard. */
  #isIndeterminate({ sourcePolicies, desired }: DeletionCandidate, unheard: readonly string[]): boolean {
    const { unreadable } = this.#options.fleet.fleetState;
    if (desired === undefined && unheard.length > 0) return true;
    return sourcePolicies.some((ref) => unreadable.has(policyKey(ref)));
  }

  #approve({ cluster, objects }: LedgerApproval): readonly DeletionCandidate[] {
    return this.#of(cluster).approve(objects.map((text) => approvedKey(cluster, text)));
  }

  #came(key: Key, present: PresentObject): void {
    if (!this.#isManaged(present)) return;
    const { apiVersion, kind, metadata } = present.object.value;
    const { name, namespace = '', annotations } = metadata;
    const version = apiVersion.slice(apiVersion.indexOf('/') + 1);
    const object = { group: groupOf(apiVersion), version, kind, namespace, name };
    this.#of(present.cluster).came(key, object, annotations?.[SOURCE_POLICIES_ANNOTATION]);
  }

  #isManaged({ object }: PresentObject): boolean {
    return object.value.metadata.labels?.[OWNER_LABEL] === this.#options.owner;
  }

  #of(cluster: string): ClusterDeletions {
    const known = this.#clusters.get(cluster);
    if (known !== undefined) return known;
    const deletions = new ClusterDeletions();
    this.#clusters.set(cluster, deletions);
    return deletions;
  }

  /** Says so where what is held has changed. */
  #announce(): void {
    for (const cluster of new Set([...this.#clusters.keys(), ...this.#reported.keys()])) {
      const held = this.heldIn(cluster);
      if (this.#reported.get(cluster) === held?.digest) continue;
      if (held === undefined) this.#edited.forget(cluster);
      if (held === undefined) this.#reported.delete(cluster);
      else this.#reported.set(cluster, held.digest);
      this.#log(cluster, held);
      for (const listener of this.#listeners) listener(cluster);
    }
  }

  #log(cluster: string, held: HeldDeletionSet | undefined): void {
    const { logger } = this.#options;
    if (held === undefined) {
      logger.info('no deletion is held any more', { cluster });
      return;
    }
    const { digest, outputs } = held;
    const first = outputs.slice(0, NAMED).map(({ object: { kind, namespace, name } }) => ({ kind, namespace, name }));
    const unheard = this.#options.unheard();
    logger.warn(
      `outputs are not wanted as far as is known, and nobody was seen to delete what they follow from; look at them by meshctl approve --list ${cluster}`,
      {
        cluster,
        count: outputs.length,
        digest,
        first,
        ...(unheard.length === 0 ? {} : { unheard }),
      },
    );
  }
}

/** An object as approvals name it: `group/kind/namespace/name`. */
export function approvedText({ group, kind, namespace, name }: ObjectKey): string {
  return [group, kind, namespace, name].join('/');
}

function approvedKey(cluster: string, text: string): Key {
  const [group = '', kind = '', namespace = '', name = ''] = text.split('/');
  return desiredKey(cluster, { group, kind }, namespace, name);
}

function objectOf({ kind, object }: DesiredObject): ObjectKey {
  const { name, namespace = '' } = object.metadata;
  return { group: kind.group, version: kind.version, kind: kind.kind, namespace, name };
}
