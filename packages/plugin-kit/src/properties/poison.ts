/** Discovery is robust: an object with any field of a wrong type causes no exception, and affects no other object. */
import type { JsonValue, KubeObject } from '@meshrelay/api';
import { groupOf, kindKey } from '@meshrelay/plugin';
import { createGraph, type Discovery, discoverCluster, objectKey, refuseFailedDiscovery } from '@meshrelay/relay-core';
import { expandFleet } from '../fleet/expand-fleet.ts';
import { loaded, type TestedPlugin } from '../tested-plugin.ts';
import { firstDifference } from './outcome.ts';
import type { Property } from './property.ts';

/** Replacement values for a field. */
const POISONS: readonly unknown[] = [null, 7, 'text', true, [], [null], {}, { 'app.kubernetes.io/name': null }];

/** The poisoned objects: those of one Service, and all of the control plane. */
export const survivesPoison: Property = (tested) => {
  const { plugin, fixture } = tested;
  const { clusters } = expandFleet(
    { about: '', clusters: { 'cluster-1': { services: { 'sound.one': SERVICE, 'poisoned.two': SERVICE } } } },
    { type: plugin.name, fixture },
  );
  const objects = clusters[0]?.objects ?? [];
  const bench = new Bench(tested);
  for (const object of objects) bench.set(object);
  const sound = bench.found();
  for (const object of objects.filter(({ metadata }) => metadata.namespace !== 'one')) {
    const own = object.metadata.namespace === 'two';
    for (const { path, poisoned } of poisonings(object)) {
      bench.set(poisoned);
      const where = `${object.kind} ${object.metadata.name} with a poisoned ${path}`;
      const fault = bench.fault();
      if (fault !== undefined) throw new Error(`${where}: its discovery throws: ${fault}`);
      // The discovered objects of the others stay; a poisoned control plane may be ignored.
      const difference = own ? firstDifference(bench.found().filter(ofOthers), sound.filter(ofOthers)) : undefined;
      if (difference !== undefined) throw new Error(`${where}: discovery of other objects differs: ${difference}`);
    }
    bench.set(object);
    const difference = firstDifference(bench.found(), sound);
    if (difference !== undefined) throw new Error(`${object.kind} ${object.metadata.name}, corrected: ${difference}`);
  }
};

const SERVICE = { ports: ['http:80:8080'] };

function ofOthers(line: string): boolean {
  return !line.includes('poisoned');
}

/** The object with each of its fields, except its identity, replaced by each poison. */
export function* poisonings(object: KubeObject): Generator<{ readonly path: string; readonly poisoned: KubeObject }> {
  for (const path of pathsOf(object as unknown as JsonValue, [])) {
    if (NAMING.has(path.join('.'))) continue;
    for (const poison of POISONS) {
      const poisoned = withValue(object, path, poison) as KubeObject;
      yield { path: `${path.join('.')} (${JSON.stringify(poison)})`, poisoned };
    }
  }
}

/** Without these an object has no identity; API servers always set them. */
const NAMING: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'metadata', 'metadata.name', 'metadata.namespace']);

function pathsOf(value: JsonValue, path: readonly string[]): Array<readonly string[]> {
  const members = typeof value === 'object' && value !== null ? Object.entries(value) : [];
  const below = members.flatMap(([name, member]) => pathsOf(member as JsonValue, [...path, name]));
  return path.length === 0 ? below : [path, ...below];
}

function withValue(value: unknown, [name, ...rest]: readonly string[], poison: unknown): unknown {
  if (name === undefined) return poison;
  const member = withValue((value as Readonly<Record<string, unknown>>)[name], rest, poison);
  if (Array.isArray(value)) return value.map((one: unknown, index) => (String(index) === name ? member : one));
  return { ...(value as object), [name]: member };
}

/** One cluster's discovery, and its results. */
class Bench {
  readonly #graph = createGraph();
  readonly #discovery: Discovery;
  readonly #plugin: string;

  constructor(tested: TestedPlugin) {
    this.#discovery = discoverCluster(this.#graph, 'cluster-1', loaded(tested));
    refuseFailedDiscovery(this.#discovery);
    this.#plugin = tested.plugin.name;
  }

  set(object: KubeObject): void {
    const source = this.#discovery.inputs.get(kindKey({ group: groupOf(object.apiVersion), kind: object.kind }));
    if (source === undefined) return;
    this.#graph.commit((transaction) => transaction.set(source, objectKey(object), object));
  }

  found(): readonly string[] {
    const { meshes, workloads, destinations } = this.#discovery;
    return [meshes, workloads, destinations].flatMap((found) =>
      [...found.entries()].map(([itemKey, value]) => `${found.name} ${itemKey} ${JSON.stringify(value)}`),
    );
  }

  /** The first fault in the plugin's definitions. */
  fault(): string | undefined {
    const faults = [...this.#graph.quarantined.entries()].map(([, fault]) => fault);
    const own = faults.find(({ node }) => node.startsWith(`${this.#plugin}/`));
    return own === undefined ? undefined : `${own.node} ${own.key}: ${String(own.error)}`;
  }
}
