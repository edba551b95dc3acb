/**
 * Order does not depend on the names of the graph's nodes: with other random names, outputs, reports and displays are
 * the same.
 */
import istio from '@meshrelay/plugin-istio';
import * as istioFixture from '@meshrelay/plugin-istio/fixture';
import { expandFleet, GoldenFolder, LiveFleet } from '@meshrelay/plugin-kit';
import osm from '@meshrelay/plugin-osm';
import * as osmFixture from '@meshrelay/plugin-osm/fixture';
import { type Graph, type GraphOptions, loadPlugins, type MeshPlugin, statusDocument } from '@meshrelay/relay-core';
import { assert, scaledSample, test } from '@meshrelay/testing';
import { renamedGraphs } from '../src/renamed-graph.ts';

/** One for each naming: random names may have the right order by chance. */
const SEEDS = scaledSample([20_261_126, 20_271_126, 20_281_126, 20_291_126]);

/** Whole numbers below its argument, the same in every run. */
function diceOf(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return (state >>> 8) % below;
  };
}

const meshes = [
  { plugin: istio as MeshPlugin, fixture: istioFixture },
  { plugin: osm as MeshPlugin, fixture: osmFixture },
];

for (const { plugin, fixture } of meshes) {
  test(`golden cases of ${plugin.name} have the same result with any node names`, () => {
    const golden = new GoldenFolder(new URL(`../../packages/plugin-${plugin.name}/test/golden`, import.meta.url));
    const plugins = loadPlugins([{ module: plugin.name, plugin }]);
    const cases = golden.cases();
    // In cases with object conflicts, several nodes report to policies about one target.
    const conflicts = cases.filter((name) => name.startsWith('conflict-'));
    const tried = new Set([...scaledSample(conflicts, { least: 4 }), ...scaledSample(cases, { uses: 3 })]);
    for (const [nth, name] of [...tried].entries()) {
      const fleet = expandFleet(golden.input(name), { type: plugin.name, fixture });
      const resultOf = (graphs?: (options: GraphOptions) => Graph): string => {
        const live = new LiveFleet(plugins, { wholeStatuses: true, ...(graphs === undefined ? {} : { graphs }) });
        for (const { name: cluster, objects } of fleet.clusters)
          live.reportAll(
            cluster,
            objects.map((object) => ({ object, outcome: 'there' })),
          );
        live.reportAll(
          '',
          fleet.management.map((object) => ({ object, outcome: 'there' })),
        );
        live.settle();
        const desired = [...live.plane.desired.entries()].sort(([a], [b]) => (a < b ? -1 : 1));
        const shown = [...live.plane.shown.activate().statuses.entries()].sort(([a], [b]) => (a < b ? -1 : 1));
        return JSON.stringify([desired, shown, statusDocument(live.plane)], undefined, 1);
      };
      const expected = resultOf();
      for (const seed of SEEDS) assert.is(resultOf(renamedGraphs(diceOf(seed + nth))), expected, name);
    }
  });
}

test.run();
