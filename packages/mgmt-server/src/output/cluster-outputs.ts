/** Desired outputs of each cluster, as its agent's Pull stream sends them; updated from the graph's changes. */

import type { Settings } from '@meshrelay/api';
import { type ChangeSet, type DesiredObject, desiredKey, key, partsOf, SETTINGS_KEY } from '@meshrelay/relay-core';
import {
  DesiredOutputs,
  type InputVector,
  keepEnvelope,
  type ObjectEnvelope,
  type ObjectKey,
} from '@meshrelay/relay-protocol';
import type { Logger } from '@meshrelay/telemetry';
import type { Fleet } from '../store/fleet.ts';
import { EDIT, type InputCause } from '../store/input-cause.ts';
import type { DeletionCandidates, DeletionGuard } from './deletion-guard.ts';
import type { InputVectors } from './input-vectors.ts';
import type { OutputTables } from './output-tables.ts';
import type { SafeMode } from './safe-mode.ts';
import { EncodedOutput } from './sent-object.ts';

export interface ClusterOutputsOptions {
  readonly fleet: Fleet;
  readonly vectors: InputVectors;
  /** Written here. */
  readonly tables: OutputTables;
  readonly safeMode: () => SafeMode;
  /** Decides what may be deleted. */
  readonly guard: DeletionGuard;
  /** Outputs of a cluster in addition to the objects of its meshes: the statuses of its policies. */
  readonly statuses?: (cluster: string) => readonly DesiredObject[];
  /** A cluster's outputs were replaced: streams that send the old ones must end. */
  readonly replaced: (cluster: string) => void;
  readonly logger: Logger;
}

/** `still`: nothing is sent. `draining`: the complete desired set is empty. */
type Mode = 'served' | 'still' | 'draining';

interface Change {
  readonly upserts: ObjectEnvelope[];
  readonly deletes: ObjectKey[];
}

/**
 * The outputs of every cluster. No cluster has desired outputs until safe mode has ended once, or while it is suspended
 * or paused.
 */
export class ClusterOutputs {
  readonly #options: ClusterOutputsOptions;
  readonly #tables: OutputTables;
  readonly #clusters: Map<string, DesiredOutputs>;
  readonly #listeners = new Set<() => void>();
  readonly #modes = new Map<string, Mode>();
  /** Clusters whose agents have seen newer inputs: they get every step, as one may be the input they wait for. */
  readonly #behind = new Set<string>();
  /**
   * Objects that cannot be encoded, by their desired keys: while there is one, its cluster's outputs are incomplete.
   */
  readonly #unwritable = new Set<string>();
  /** The vector as of the last commit. */
  #vector: InputVector = new Map();

  constructor(options: ClusterOutputsOptions) {
    this.#options = options;
    this.#tables = options.tables;
    this.#clusters = options.tables.byCluster;
  }

  /** Calls back when safe mode ends for the first time since the start. */
  listen(listener: () => void): void {
    this.#listeners.add(listener);
  }

  /** Whether safe mode has ended since the start. */
  get begun(): boolean {
    return this.#tables.begun;
  }

  /** The outputs of a cluster; not begun while it is suspended or paused, or safe mode has not ended. */
  of(cluster: string): DesiredOutputs {
    const known = this.#clusters.get(cluster);
    if (known !== undefined) return known;
    const outputs = new DesiredOutputs();
    this.#clusters.set(cluster, outputs);
    this.#modes.set(cluster, this.#mode(cluster));
    if (this.#tables.begun && !this.#isStill(cluster)) this.#commitWhole([cluster]);
    return outputs;
  }

  /** Hash of an object in its present desired form; undefined if it is not sent. */
  hashOf(cluster: string, object: ObjectKey): string | undefined {
    return this.#tables.hashOf(cluster, object);
  }

  /** The cluster's registration ended: its objects stay, and nothing more is sent. */
  end(cluster: string): void {
    this.#clusters.delete(cluster);
    this.#modes.delete(cluster);
    this.#behind.delete(cluster);
    this.#options.guard.forget(cluster);
  }

  /** The cluster's agent has outputs of newer inputs in these components of the vector. */
  behind(cluster: string, components: readonly string[]): void {
    this.#behind.add(cluster);
    this.#options.vectors.seen(components);
    this.move();
  }

  /** The cluster's agent has accepted the present outputs. */
  caughtUp(cluster: string): void {
    this.#behind.delete(cluster);
  }

  /** Ends safe mode if nothing is missing any more. @returns whether this call did */
  begin(): boolean {
    // The vector marks unregistered clusters as gone: the store's data of them must not affect outputs.
    if (this.#tables.begun || this.#options.safeMode().active || this.#options.fleet.hasStrangers) return false;
    this.#tables.begun = true;
    for (const listener of this.#listeners) listener();
    // Includes clusters that other replicas serve: all replicas hold the same deletions.
    for (const [cluster, { complete }] of this.#options.fleet.progress)
      if (complete) this.#options.guard.settle(cluster);
    this.#commitWhole([...this.#clusters.keys()].filter((cluster) => !this.#isStill(cluster)));
    return true;
  }

  /** Applies a finished commit of the graph. */
  update(changes: ChangeSet, cause: InputCause = EDIT): void {
    const candidates = this.#options.guard.follow(changes, cause, this.#tables.begun);
    this.#followModes(changes);
    if (this.begin() || !this.#tables.begun) return;
    const byCluster = new Map<string, Change>();
    for (const { key: id, before, after } of changes.of(this.#options.fleet.controlPlane.desired)) {
      const desired = after ?? before;
      if (desired === undefined || !this.#clusters.has(desired.cluster)) continue;
      const change = byCluster.get(desired.cluster) ?? { upserts: [], deletes: [] };
      byCluster.set(desired.cluster, change);
      this.#unwritable.delete(id);
      if (after !== undefined) change.upserts.push(...this.#envelope(after));
    }
    this.#addCandidates(byCluster, candidates);
    this.#commit(byCluster);
  }

  /** A candidate is deleted when the guard releases it, which may be in a later commit. */
  #addCandidates(byCluster: Map<string, Change>, candidates: DeletionCandidates): void {
    for (const [cluster, lost] of candidates) {
      if (!this.#clusters.has(cluster)) continue;
      const change = byCluster.get(cluster) ?? { upserts: [], deletes: [] };
      byCluster.set(cluster, change);
      for (const { object } of lost) change.deletes.push(object);
    }
  }

  /** Statuses of policies in workload clusters have changed, or were removed. */
  statusesChanged(set: readonly DesiredObject[], gone: readonly DesiredObject[]): void {
    if (!this.#tables.begun) return;
    const byCluster = new Map<string, Change>();
    const changeOf = ({ cluster }: DesiredObject): Change => {
      const change = byCluster.get(cluster) ?? { upserts: [], deletes: [] };
      byCluster.set(cluster, change);
      return change;
    };
    for (const status of gone) changeOf(status).deletes.push(keyOf(status));
    for (const status of set) changeOf(status).upserts.push(...this.#envelope(status));
    if (byCluster.size > 0) this.#commit(byCluster);
  }

  /** State outside the graph changed, such as the sync of the management cluster. */
  move(): void {
    if (!this.begin() && this.#tables.begun) this.#commit(new Map());
  }

  #commit(byCluster: ReadonlyMap<string, Change>): void {
    const since = this.#vector;
    const vector = this.#moved();
    const safe = !this.#options.safeMode().active;
    for (const [cluster, outputs] of this.#clusters) {
      if (!outputs.begun || this.#isStill(cluster)) continue;
      const draining = this.#modes.get(cluster) === 'draining';
      let change = draining ? undefined : byCluster.get(cluster);
      const complete = safe && this.#isKnown(cluster);
      if (complete && !outputs.complete && !draining) {
        const { upserts = [], deletes = [] } = change ?? {};
        change = { upserts: [...upserts, ...this.#settled(cluster)], deletes };
      }
      const moved = this.#behind.has(cluster) && vector !== outputs.vector;
      if (change !== undefined) outputs.commit({ vector, since, complete, ...change });
      else if (complete !== outputs.complete || moved) outputs.commit({ vector, complete });
    }
  }

  #moved(): InputVector {
    this.#vector = this.#options.vectors.current();
    return this.#vector;
  }

  #commitWhole(clusters: readonly string[]): void {
    const upserts = new Map<string, ObjectEnvelope[]>(clusters.map((cluster) => [cluster, []]));
    for (const [, desired] of this.#options.fleet.controlPlane.desired.entries())
      upserts.get(desired.cluster)?.push(...this.#envelope(desired));
    for (const [cluster, envelopes] of upserts)
      for (const status of this.#options.statuses?.(cluster) ?? []) envelopes.push(...this.#envelope(status));
    const vector = this.#moved();
    const safe = !this.#options.safeMode().active;
    for (const [cluster, envelopes] of upserts) {
      const complete = safe && this.#isKnown(cluster);
      if (this.#mode(cluster) === 'draining') {
        this.of(cluster).commit({ vector, complete });
        continue;
      }
      const retained = complete ? this.#settled(cluster) : this.#retained(cluster);
      this.of(cluster).commit({ vector, upserts: [...envelopes, ...retained], complete });
    }
  }

  /**
   * Called before outputs are declared complete: objects that are not among them are evaluated first.
   * @returns the objects that the cluster keeps
   */
  #settled(cluster: string): ObjectEnvelope[] {
    this.#options.guard.settle(cluster);
    return this.#retained(cluster);
  }

  /** Objects that are not desired and stay: in their last desired form, or unchanged if that is not known. */
  #retained(cluster: string): ObjectEnvelope[] {
    return this.#options.guard
      .storedIn(cluster)
      .flatMap(({ object, desired }) => (desired === undefined ? keepEnvelope(object) : this.#envelope(desired)));
  }

  /** If a cluster's mode changes, its streams restart, so that nothing of the old mode is sent, not even a repair. */
  #followModes(changes: ChangeSet): void {
    const { fleetState } = this.#options.fleet;
    const fleetWide = changes.of(fleetState.settings).some(({ before, after }) => isPaused(before) !== isPaused(after));
    const some = changes.of(fleetState.clusters).flatMap(({ after }) => after?.name ?? []);
    for (const name of fleetWide ? [...this.#clusters.keys()] : some) {
      const mode = this.#mode(name);
      const before = this.#modes.get(name);
      if (before === undefined || before === mode) continue;
      this.#modes.set(name, mode);
      if (before !== 'still') {
        this.#clusters.set(name, new DesiredOutputs());
        this.#options.replaced(name);
      }
      if (this.#tables.begun && mode !== 'still') this.#commitWhole([name]);
    }
  }

  #isStill(cluster: string): boolean {
    return this.#mode(cluster) === 'still';
  }

  /** Draining takes precedence: the user is removing the cluster. */
  #mode(cluster: string): Mode {
    const { clusters, settings } = this.#options.fleet.fleetState;
    const { suspended = false, paused = false, draining = false } = clusters.get(key(cluster)) ?? {};
    if (draining) return 'draining';
    return suspended || paused || isPaused(settings.get(SETTINGS_KEY)) ? 'still' : 'served';
  }

  /** Outputs are complete only if they are computed from everything the cluster has sent. */
  #isKnown(cluster: string): boolean {
    if ([...this.#unwritable].some((id) => partsOf(id)[0] === cluster)) return false;
    return this.#options.fleet.progress.get(cluster)?.complete === true;
  }

  /** An object that cannot be encoded keeps its last form, and the rest continues. */
  #envelope(desired: DesiredObject): ObjectEnvelope[] {
    try {
      return [new EncodedOutput(desired)];
    } catch (error) {
      const { cluster, plugin } = desired;
      this.#unwritable.add(idOf(desired));
      this.#options.logger.error('an output cannot be encoded', { cluster, plugin, ...keyOf(desired), error });
      return [];
    }
  }
}

function isPaused(settings: Settings | undefined): boolean {
  return settings?.spec.paused === true;
}

function keyOf({ kind, object }: DesiredObject): ObjectKey {
  const { name, namespace = '' } = object.metadata;
  return { group: kind.group, version: kind.version, kind: kind.kind, namespace, name };
}

function idOf(desired: DesiredObject): string {
  const { namespace, name } = keyOf(desired);
  return desiredKey(desired.cluster, desired.kind, namespace, name);
}
