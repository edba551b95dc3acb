/**
 * The last check before any deletion in a cluster. Outputs of inputs that users delete go at once. The deletion of many
 * outputs without such an edit waits for approval. docs/adr/0015-shrink-guard.md explains why the guard evaluates the
 * inputs of a commit.
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
  readonly owner: string;
  /**
   * Clusters that count and are not synced in this process, suspended or not: their dependent outputs in other clusters
   * appear to be lost.
   */
  readonly unheard: () => readonly string[];
  /** Whether the discovery of a plugin fails in any cluster: what it would discover looks deleted. */
  readonly discoveryFails: () => boolean;
  readonly logger: Logger;
}

/** Released deletions, by cluster. */
export type DeletionCandidates = ReadonlyMap<string, readonly DeletionCandidate[]>;

/** Maximum number of objects that a log line names. */
const NAMED = 5;

/**
 * Follows every commit of all clusters from the start, so every replica has the same result when it comes to serve a
 * cluster.
 */
export class DeletionGuard {
  readonly #options: DeletionGuardOptions;
  readonly #clusters = new Map<string, ClusterDeletions>();
  readonly #listeners = new Set<(cluster: string) => void>();
  /** Digest that was reported last for each cluster. */
  readonly #reported = new Map<string, string | undefined>();
  readonly #edited = new EditThenDelete();
  /** Whether a cluster was unsynced, or a plugin failed, when objects were evaluated. */
  #awaits = false;

  constructor(options: DeletionGuardOptions) {
    this.#options = options;
    const { fleetState, controlPlane } = options.fleet;
    for (const [key, { cluster }] of controlPlane.desired.entries()) this.#of(cluster).desired(key, true);
    for (const [key, present] of fleetState.present.entries()) this.#came(key, present);
    for (const [, approval] of fleetState.ledgerApprovals.entries()) this.#approve(approval);
  }

  /** Calls back when the held deletions of a cluster have changed. @returns a function that unsubscribes */
  listen(listener: (cluster: string) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Held deletions of a cluster. */
  heldIn(cluster: string): HeldDeletionSet | undefined {
    return this.#clusters.get(cluster)?.held;
  }

  /** Clusters with held deletions, sorted. */
  get holding(): string[] {
    return [...this.#clusters].flatMap(([cluster, { held }]) => (held === undefined ? [] : cluster)).sort();
  }

  /** Objects that a cluster keeps although they are not desired: held, or not yet evaluated. */
  storedIn(cluster: string): DeletionCandidate[] {
    return [...(this.#clusters.get(cluster)?.retained() ?? [])];
  }

  /** Number of generated objects in a cluster, as its agent reports. */
  presentIn(cluster: string): number {
    return this.#clusters.get(cluster)?.present ?? 0;
  }

  /** Whether a cluster has an object, and it is generated. */
  isPresent(cluster: string, output: Key): boolean {
    return this.#clusters.get(cluster)?.has(output) ?? false;
  }

  /**
   * Applies a finished commit.
   * @param evaluated whether to evaluate lost outputs. Before safe mode has ended nothing was desired, and so nothing
   * is lost
   * @returns deletions of outputs that are no longer desired and may proceed
   */
  follow(changes: ChangeSet, cause: InputCause, evaluated: boolean): DeletionCandidates {
    const { fleet } = this.#options;
    const going = new Map<string, DeletionCandidate[]>();
    const unheard = this.#options.unheard();
    const fails = this.#options.discoveryFails();
    this.#awaits ||= fails;
    const isIndeterminate = (candidate: DeletionCandidate): boolean =>
      fails || this.#isIndeterminate(candidate, unheard);
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
    const isComplete = this.#awaits && !fails && unheard.length === 0;
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
   * Call before a cluster's outputs are first declared complete: then the agent deletes all other generated objects,
   * including those that were desired before this process started.
   */
  settle(cluster: string): void {
    const deletions = this.#of(cluster);
    const { desired } = this.#options.fleet.controlPlane;
    const unheard = this.#options.unheard();
    const fails = this.#options.discoveryFails();
    this.#awaits ||= fails || unheard.length > 0;
    deletions.verify(
      deletions.orphans((key) => desired.has(key)),
      (candidate) => fails || this.#isIndeterminate(candidate, unheard),
    );
    this.#announce();
  }

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

  /** Records held deletions with the edited inputs that may still be deleted. */
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

  /** Held deletions whose edited inputs were all deleted since. */
  *#goneSince(changes: ChangeSet, cause: InputCause): Generator<readonly [string, readonly DeletionCandidate[]]> {
    if (!this.#edited.isWaiting) return;
    for (const { input, isThere } of this.#inputs(changes)) {
      if (isThere || cause.type !== 'observed') this.#edited.stays(input);
      else
        for (const { cluster, outputs } of this.#edited.goes(input))
          yield [cluster, this.#of(cluster).release(({ key }) => outputs.has(key))];
    }
  }

  /** Changes of all inputs that outputs are derived from; generated objects in clusters are not inputs. */
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

  /** Held deletions whose source policies were all deleted since. */
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

  /**
   * Whether the object's source may be indeterminate: a policy that cannot be read, or, for an object from before this
   * process, a cluster that is not synced.
   */
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

  /** Reports changes of the held deletions. */
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
      logger.info('no deletion is held now', { cluster });
      return;
    }
    const { digest, outputs } = held;
    const first = outputs.slice(0, NAMED).map(({ object: { kind, namespace, name } }) => ({ kind, namespace, name }));
    const unheard = this.#options.unheard();
    logger.warn(
      `outputs are no longer desired, and no user deleted the objects they are derived from; review them with meshctl approve --list ${cluster}`,
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

/** An object in the form that approvals use: `group/kind/namespace/name`. */
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
