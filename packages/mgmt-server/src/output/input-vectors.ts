/** The vector of inputs that outputs stand for: how far the management cluster and every cluster have come. */
import { key } from '@meshrelay/relay-core';
import { compareVectors, GONE, type InputVector, type InputVersion } from '@meshrelay/relay-protocol';
import type { Fleet } from '../store/fleet.ts';

export interface InputVectorsOptions {
  readonly fleet: Fleet;
  /** How far the management cluster's kinds have come, each under a name no cluster can have. */
  readonly managementVersions: () => ReadonlyMap<string, InputVersion>;
}

/**
 * A cluster takes part from the time it was known in full once. After that its component never goes missing for want of knowledge: agents
 * hold back what was computed without an input that they have seen, so a cluster that was forgotten by accident takes nothing away.
 */
export class InputVectors {
  readonly #options: InputVectorsOptions;
  /** Clusters that were known in full, by the ledger, this process or an agent. */
  readonly #participants = new Set<string>();
  #current: InputVector = new Map();

  constructor(options: InputVectorsOptions) {
    this.#options = options;
  }

  /** Agents have outputs that were computed from these inputs. Those of clusters that are registered no more must be called gone. */
  seen(components: readonly string[]): void {
    for (const name of components)
      if (!name.startsWith('/') && !this.#options.fleet.isRegistered(name)) this.#participants.add(name);
  }

  /** The vector as of now: the same Map for as long as nothing has moved. */
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

  /** Gone where its registration ended, or it was suspended before it was heard; undefined where nothing is known. */
  #versionOf(name: string): InputVersion | typeof GONE | undefined {
    const { fleetState, progress } = this.#options.fleet;
    const facts = fleetState.clusters.get(key(name));
    if (facts === undefined) return GONE;
    return progress.get(name)?.compared ?? (facts.suspended ? GONE : undefined);
  }
}
