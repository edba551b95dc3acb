/** Laws about the same fleet twice: the same comes of it, at any time, in any order, step by step and at once. */
import type { KubeObject } from '@meshrelay/api';
import {
  createGraph,
  discoverCluster,
  groupOf,
  kindKey,
  type LoadedPlugin,
  MANAGEMENT_CLUSTER,
  objectKey,
  withoutNoise,
} from '@meshrelay/relay-core';
import type { Fleet } from '../fleet/fleet-spec.ts';
import { LiveFleet } from '../fleet/live-fleet.ts';
import { loaded } from '../tested-plugin.ts';
import { deepFrozen, withFrozenViews } from './frozen.ts';
import { built, expectedOf, firstDifference, linesOf } from './outcome.ts';
import type { Property } from './property.ts';
import { sealed } from './sealed.ts';
import { shuffled } from './shuffle.ts';

/** Twice the same, without a clock and without chance. */
export const deterministic: Property = (tested, fleets) => {
  for (const { name, fleet } of fleets) {
    const again = linesOf(sealed(() => built(structuredClone(fleet), loaded(tested))));
    const difference = firstDifference(expectedOf(tested, fleet).all, again);
    if (difference !== undefined) throw new Error(`${name}: the same fleet came to something else: ${difference}`);
  }
};

/** The order in which objects are told does not matter. */
export const orderFree: Property = (tested, fleets) => {
  const plugins = loaded(tested);
  for (const { name, fleet } of fleets) {
    const expected = expectedOf(tested, fleet).all;
    for (const seed of [1, 2]) {
      const difference = firstDifference(linesOf(built(inOrder(fleet, seed), plugins)), expected);
      if (difference !== undefined) throw new Error(`${name}: another order came to something else: ${difference}`);
    }
  }
};

function inOrder({ clusters, management }: Fleet, seed: number): Fleet {
  return {
    clusters: shuffled(clusters, seed).map(({ name, objects }) => ({ name, objects: shuffled(objects, seed) })),
    management: shuffled(management, seed),
  };
}

/** Nothing that a plugin is given is changed by it, and nothing that it has handed over. */
export const mutatesNothing: Property = (tested, fleets) => {
  const plugins = loaded(tested).map(withFrozenViews);
  for (const { name, fleet } of fleets) {
    try {
      built(deepFrozen(structuredClone(fleet)), plugins);
      discoverFrozen(fleet, plugins);
    } catch (cause) {
      const words = cause instanceof Error ? cause.message : String(cause);
      throw new Error(`${name}: with all views and objects frozen: ${words}`, { cause });
    }
  }
};

/** Discovery is handed what collections have: that is frozen by their graph. @throws Error with the first fault */
function discoverFrozen({ clusters }: Fleet, plugins: readonly LoadedPlugin[]): void {
  for (const { name, objects } of clusters) {
    const graph = createGraph({ freeze: true });
    const { inputs } = discoverCluster(graph, name, plugins);
    graph.commit((transaction) => {
      for (const object of objects) {
        const source = inputs.get(kindKey({ group: groupOf(object.apiVersion), kind: object.kind }));
        if (source !== undefined) transaction.set(source, objectKey(object), withoutNoise(object));
      }
    });
    for (const [, { node, key, error }] of graph.quarantined.entries())
      throw new Error(`${node} ${key}: ${String(error)}`, { cause: error });
  }
}

/** Objects that come one by one, some of them twice and some after having gone, come to what all at once come to. */
export const incremental: Property = (tested, fleets) => {
  const plugins = loaded(tested);
  for (const { name, fleet } of fleets) {
    const live = new LiveFleet(plugins);
    shuffled(everyObject(fleet), 3).forEach(([cluster, object], index) => {
      live.report(cluster, object, 'there');
      if (index % 3 !== 0) return;
      live.report(cluster, object, 'gone');
      live.report(cluster, object, 'there');
    });
    live.settle();
    if (live.faults().length > 0) throw new Error(`${name}: ${live.faults().join('\n')}`);
    const difference = firstDifference(linesOf(live.plane), expectedOf(tested, fleet).all);
    if (difference !== undefined) throw new Error(`${name}: step by step came to something else: ${difference}`);
  }
};

/** Every object with its cluster, '' for the management cluster. */
export function everyObject({ clusters, management }: Fleet): ReadonlyArray<readonly [string, KubeObject]> {
  return [
    ...management.map((object) => [MANAGEMENT_CLUSTER, object] as const),
    ...clusters.flatMap(({ name, objects }) => objects.map((object) => [name, object] as const)),
  ];
}
