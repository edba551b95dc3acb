/**
 * Properties about repetition: the same fleet has the same result, at any time, in any order, incrementally and at
 * once.
 */
import type { KubeObject } from '@meshrelay/api';
import { groupOf, kindKey } from '@meshrelay/plugin';
import {
  createGraph,
  discoverCluster,
  type LoadedPlugin,
  MANAGEMENT_CLUSTER,
  objectKey,
  refuseFailedDiscovery,
  withoutNoise,
} from '@meshrelay/relay-core';
import type { Fleet } from '../fleet/expand-fleet.ts';
import { LiveFleet } from '../fleet/live-fleet.ts';
import { loaded } from '../tested-plugin.ts';
import { deepFrozen, withFrozenViews } from './frozen.ts';
import { built, expectedOf, firstDifference, linesOf } from './outcome.ts';
import type { Property } from './property.ts';
import { sealed } from './sealed.ts';
import { shuffled } from './shuffle.ts';

/** Two runs have the same result, without clock and randomness. */
export const deterministic: Property = (tested, fleets) => {
  for (const { name, fleet } of fleets) {
    const again = linesOf(sealed(() => built(structuredClone(fleet), loaded(tested))));
    const difference = firstDifference(expectedOf(tested, fleet).all, again);
    if (difference !== undefined) throw new Error(`${name}: the same fleet gave another result: ${difference}`);
  }
};

/** The order of the objects does not matter. */
export const orderFree: Property = (tested, fleets) => {
  const plugins = loaded(tested);
  for (const { name, fleet } of fleets) {
    const expected = expectedOf(tested, fleet).all;
    for (const seed of [1, 2]) {
      const difference = firstDifference(linesOf(built(inOrder(fleet, seed), plugins)), expected);
      if (difference !== undefined) throw new Error(`${name}: another order gave another result: ${difference}`);
    }
  }
};

function inOrder({ clusters, management }: Fleet, seed: number): Fleet {
  return {
    clusters: shuffled(clusters, seed).map(({ name, objects }) => ({ name, objects: shuffled(objects, seed) })),
    management: shuffled(management, seed),
  };
}

/** A plugin changes neither its inputs nor the outputs that it already returned. */
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

/**
 * Discovery receives members of collections, which their graph freezes.
 * @throws Error with the first fault
 */
function discoverFrozen({ clusters }: Fleet, plugins: readonly LoadedPlugin[]): void {
  for (const { name, objects } of clusters) {
    const graph = createGraph({ freeze: true });
    const discovery = discoverCluster(graph, name, plugins);
    refuseFailedDiscovery(discovery);
    graph.commit((transaction) => {
      for (const object of objects) {
        const source = discovery.inputs.get(kindKey({ group: groupOf(object.apiVersion), kind: object.kind }));
        if (source !== undefined) transaction.set(source, objectKey(object), withoutNoise(object));
      }
    });
    for (const [, { node, key, error }] of graph.quarantined.entries())
      throw new Error(`${node} ${key}: ${String(error)}`, { cause: error });
  }
}

/** Objects that arrive one by one, some twice and some after a deletion, have the same result as all at once. */
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
    if (difference !== undefined) throw new Error(`${name}: step by step gave another result: ${difference}`);
  }
};

/** Every object with its cluster, '' for the management cluster. */
export function everyObject({ clusters, management }: Fleet): ReadonlyArray<readonly [string, KubeObject]> {
  return [
    ...management.map((object) => [MANAGEMENT_CLUSTER, object] as const),
    ...clusters.flatMap(({ name, objects }) => objects.map((object) => [name, object] as const)),
  ];
}
