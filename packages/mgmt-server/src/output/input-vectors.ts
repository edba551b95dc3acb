/** The vector of inputs that outputs are computed from: versions of the management cluster and of every cluster. */
import { key } from '@meshrelay/relay-core';
import { compareVectors, GONE, type InputVector, type InputVersion } from '@meshrelay/relay-protocol';
import type { Fleet } from '../store/fleet.ts';

export interface InputVectorsOptions {
  readonly fleet: Fleet;
  /** Version of each kind of the management cluster, under names that are not valid cluster names. */
  readonly managementVersions: () => ReadonlyMap<string, InputVersion>;
}

/**
 * A cluster is part of the vector from its first complete sync. After that its component is never omitted because data
 * is missing. Agents hold back outputs computed without an input that they have seen, so a cluster that is lost by
 * accident causes no deletion.
 */
export class InputVectors {
  readonly #options: InputVectorsOptions;
  /** Clusters that were synced once, by the ledger, this process or an agent. */
  readonly #participants = new Set<string>();
  #current: InputVector = new Map();

  constructor(options: InputVectorsOptions) {
    this.#options = options;
  }

  /** Agents have outputs computed from these inputs. The vector must mark those of unregistered clusters as gone. */
  seen(components: readonly string[]): void {
    for (const name of components)
      if (!name.startsWith('/') && !this.#options.fleet.isRegistered(name)) this.#participants.add(name);
  }

  /** The present vector: the same Map as long as nothing has changed. */
  current(): InputVector {
    const { fleet, managementVersions } = this.#options;
    const next = new Map<string, InputVersion | typeof GONE>(managementVersions());
    for (const [, { name }] of fleet.fleetState.ledgerClusters.entries()) this.#participants.add(name);
    for (const [name, { complete }] of fleet.progress) if (complete) this.#participants.add(name);
    for (const name of this.#participants) {
      const version = this.#versionOf(name);
      if (version !== undefined) next.set(name, version);
    }
    if (next.size !== this.#current.size || compareVectors(next, this.#current).order !== 'equal') this.#current = next;
    return this.#current;
  }

  /** Gone if its registration ended, or it was suspended before it synced; undefined if nothing is known. */
  #versionOf(name: string): InputVersion | typeof GONE | undefined {
    const { fleetState, progress } = this.#options.fleet;
    const facts = fleetState.clusters.get(key(name));
    if (facts === undefined) return GONE;
    return progress.get(name)?.compared ?? (facts.suspended ? GONE : undefined);
  }
}
