/** What each cluster is to have, as its agent's Pull stream sends it: kept up from the graph's changes. */
import { Buffer } from 'node:buffer';
import { type ChangeSet, canonicalJson, type DesiredObject } from '@meshrelay/relay-core';
import {
  DesiredOutputs,
  GONE,
  type InputVector,
  type InputVersion,
  type ObjectEnvelope,
  type ObjectKey,
} from '@meshrelay/relay-protocol';
import type { Fleet } from '../store/fleet.ts';
import { sha256 } from '../store/hash.ts';
import type { SafeMode } from './safe-mode.ts';

export interface ClusterOutputsOptions {
  readonly fleet: Fleet;
  /** How far the management cluster's kinds have come, each under a name no cluster can have. */
  readonly managementVersions: () => ReadonlyMap<string, InputVersion>;
  readonly safeMode: () => SafeMode;
}

/** The outputs of every cluster. Nothing is desired of any while safe mode holds. */
export class ClusterOutputs {
  readonly #options: ClusterOutputsOptions;
  readonly #clusters = new Map<string, DesiredOutputs>();
  /** Clusters whose registration ended: their inputs are gone, not missing. */
  readonly #ended = new Set<string>();
  #begun = false;

  constructor(options: ClusterOutputsOptions) {
    this.#options = options;
  }

  /** The outputs of a cluster; empty and not begun until safe mode ends. */
  of(cluster: string): DesiredOutputs {
    const known = this.#clusters.get(cluster);
    if (known !== undefined) return known;
    const outputs = new DesiredOutputs();
    this.#clusters.set(cluster, outputs);
    if (this.#begun) this.#commitWhole(cluster, outputs);
    return outputs;
  }

  /** The cluster's registration ended; in vectors its inputs are gone from now on. */
  end(cluster: string): void {
    this.#ended.add(cluster);
  }

  /** Ends safe mode if nothing is missing any more. @returns whether this call did */
  begin(): boolean {
    if (this.#begun || this.#options.safeMode().active) return false;
    this.#begun = true;
    for (const [cluster, outputs] of this.#clusters) this.#commitWhole(cluster, outputs);
    return true;
  }

  /** Takes up a finished commit of the graph. */
  update(changes: ChangeSet): void {
    if (this.begin() || !this.#begun) return;
    const byCluster = new Map<string, { upserts: ObjectEnvelope[]; deletes: ObjectKey[] }>();
    for (const { before, after } of changes.of(this.#options.fleet.controlPlane.desired)) {
      const desired = after ?? before;
      if (desired === undefined) continue;
      const change = byCluster.get(desired.cluster) ?? { upserts: [], deletes: [] };
      byCluster.set(desired.cluster, change);
      if (after === undefined) change.deletes.push(keyOf(desired));
      else change.upserts.push(envelopeOf(after));
    }
    for (const [cluster, outputs] of this.#clusters) {
      const change = byCluster.get(cluster);
      const complete = this.#isComplete(cluster);
      if (change !== undefined || complete !== outputs.complete)
        outputs.commit({ vector: this.#vector(), complete, ...change });
    }
  }

  #commitWhole(cluster: string, outputs: DesiredOutputs): void {
    const upserts = [...this.#options.fleet.controlPlane.desired.entries()].flatMap(([, desired]) =>
      desired.cluster === cluster ? [envelopeOf(desired)] : [],
    );
    outputs.commit({ vector: this.#vector(), upserts, complete: this.#isComplete(cluster) });
  }

  /** Only what is computed from everything the cluster itself told may be taken for all it is to have. */
  #isComplete(cluster: string): boolean {
    return this.#options.fleet.progress.get(cluster)?.complete === true && !this.#options.safeMode().active;
  }

  #vector(): InputVector {
    const vector = new Map<string, InputVersion | typeof GONE>(this.#options.managementVersions());
    for (const [cluster, { version }] of this.#options.fleet.progress) vector.set(cluster, version);
    for (const cluster of this.#ended) if (!vector.has(cluster)) vector.set(cluster, GONE);
    return vector;
  }
}

function keyOf({ kind, object }: DesiredObject): ObjectKey {
  const { name, namespace = '' } = object.metadata;
  return { group: kind.group, version: kind.version, kind: kind.kind, namespace, name };
}

function envelopeOf(desired: DesiredObject): ObjectEnvelope {
  const text = canonicalJson(desired.object);
  return { ...keyOf(desired), hash: sha256(text), body: Buffer.from(text) };
}
