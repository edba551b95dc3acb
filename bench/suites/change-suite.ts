/** Measurements of changes: edits and clusters that join, in fleets of any size. */

import { type FleetShape, fleet, label } from '../fleet/shape.ts';
import { logLogSlope } from '../measure.ts';
import { runCase } from '../process/child.ts';
import { atMost, type Figure, forInformation, mustBe } from '../results/report.ts';

interface Suite {
  readonly quick: boolean;
  /** Called before each case. */
  readonly progress: (what: string) => void;
  /** Checksums of the measured fleets, by name. */
  readonly fleets: Record<string, string>;
}

/** Services of the fleets. */
const SIZES = [1_000, 10_000, 40_000];
const QUICK = [1_000, 4_000];

/** One edit in fleets of several sizes. */
interface Edits {
  readonly of: string;
  readonly sizes: readonly number[];
  readonly what: 'TrafficPolicy' | 'VirtualDestination';
  readonly more: Partial<FleetShape>;
}

/** Policy edits, each on 5 destinations. */
export async function edits(suite: Suite): Promise<Figure[]> {
  const of = 'one policy edit on 5 destinations';
  const { slope, figures } = await editsOf(suite, {
    of,
    what: 'TrafficPolicy',
    more: {},
    sizes: suite.quick ? QUICK : [1_000, 10_000, 100_000],
  });
  return [atMost('one policy edit: log-log slope of CPU over services', slope, 0.1), ...figures];
}

/** Edits of policies on everything in a workspace: its 5 destinations, and one it imports. */
export async function workspaceEdits(suite: Suite): Promise<Figure[]> {
  const of = 'one edit of a policy on all of a workspace';
  const { slope, figures } = await editsOf(suite, {
    of,
    what: 'TrafficPolicy',
    more: { workspaces: true },
    sizes: suite.quick ? QUICK : SIZES,
  });
  return [forInformation(`${of}: log-log slope of CPU over services`, slope), ...figures];
}

/** Edits of VirtualDestinations, each of two Services and for all four clusters. */
export async function virtualDestinationEdits(suite: Suite): Promise<Figure[]> {
  const of = 'one edit of a VirtualDestination';
  const what = 'VirtualDestination';
  const { slope, figures } = await editsOf(suite, {
    of,
    what,
    more: { virtualDestinations: true },
    sizes: suite.quick ? QUICK : SIZES,
  });
  return [forInformation(`${of}: log-log slope of CPU over services`, slope), ...figures];
}

async function editsOf(
  { quick, progress, fleets }: Suite,
  { of: name, what, more, sizes }: Edits,
): Promise<{ readonly slope: number; readonly figures: readonly Figure[] }> {
  const figures: Figure[] = [];
  const points: Array<{ x: number; y: number }> = [];
  for (const services of sizes) {
    const shape = { ...fleet(4, services, 1_000, 5), ...more };
    progress(`edits in ${label(shape)}`);
    const result = await runCase('edit', { shape, what, edits: quick ? 200 : 500, warmUp: quick ? 200 : 400 });
    fleets[label(shape)] = result.checksum;
    points.push({ x: services, y: result.cpuMsPerEdit });
    const of = `${name}, ${services} services`;
    figures.push(
      forInformation(`${of}: CPU`, result.cpuMsPerEdit, 'ms'),
      forInformation(`${of}: p50`, result.p50Ms, 'ms'),
      forInformation(`${of}: p99`, result.p99Ms, 'ms'),
      atMost(`${of}: outputs recomputed / changed`, result.recomputedPerChanged, 1.1),
      forInformation(`${of}: objects changed`, result.objectsChangedPerEdit),
      forInformation(`${of}: runs of all nodes`, result.runsPerEdit),
      forInformation(`${of}: runs of ${result.busiest}, the busiest`, result.busiestRunsPerEdit),
      forInformation(`${of}: peak RSS`, result.peakRssMiB, 'MiB'),
      mustBe(`${of}: same bytes as from scratch`, result.oracle, true),
    );
  }
  return { slope: logLogSlope(points), figures };
}

/** Clusters that no VirtualMesh names. */
export async function joins({ quick, progress }: Suite): Promise<Figure[]> {
  const figures: Figure[] = [];
  const points: Array<{ x: number; y: number }> = [];
  for (const clusters of quick ? [5, 20] : [10, 100, 1_000]) {
    const shape = fleet(clusters, clusters * 100, 1_000, 0);
    progress(`a cluster joins ${label(shape)}`);
    const { cpuMsPerJoin } = await runCase('join', { shape, services: 100, joins: quick ? 10 : 20 });
    points.push({ x: clusters, y: cpuMsPerJoin });
    figures.push(forInformation(`a cluster of 100 services joins ${clusters} others: CPU`, cpuMsPerJoin, 'ms'));
  }
  return [atMost('a cluster joins: log-log slope of CPU over clusters', logLogSlope(points), 0.1), ...figures];
}

/**
 * Clusters that join a VirtualMesh: one of five clusters among a growing number of such meshes, or one with a growing
 * number of clusters and objects.
 */
export async function federatedJoins(suite: Suite): Promise<Figure[]> {
  const { quick } = suite;
  const small = 'a cluster of 100 services joins a virtual mesh of 5 clusters';
  const large = 'a cluster of 100 services joins a virtual mesh of all';
  const among = await federatedJoinsOf(suite, small, {
    shapes: (quick ? [40, 80] : [50, 150, 450]).map((clusters) => ({
      ...fleet(clusters, clusters * 100, 1_000, 5),
      clustersOfMesh: 5,
    })),
    joins: 8,
  });
  const all = await federatedJoinsOf(suite, large, {
    shapes: (quick ? [3, 6] : [5, 10, 20]).map((clusters) => fleet(clusters, clusters * 100, 1_000, 5)),
    joins: quick ? 2 : 4,
  });
  return [
    forInformation(
      `${small}: log-log slope of CPU over clusters`,
      logLogSlope(among.map(({ shape, cpuMsPerJoin }) => ({ x: shape.clusters, y: cpuMsPerJoin }))),
    ),
    forInformation(
      `${large}: log-log slope of CPU for each object over clusters`,
      logLogSlope(all.map(({ shape, cpuMsPerObject }) => ({ x: shape.clusters, y: cpuMsPerObject }))),
    ),
    ...among.flatMap(({ figures }) => figures),
    ...all.flatMap(({ figures }) => figures),
  ];
}

async function federatedJoinsOf(
  { progress }: Suite,
  name: string,
  { shapes, joins: count }: { readonly shapes: readonly FleetShape[]; readonly joins: number },
) {
  const results = [];
  for (const shape of shapes) {
    progress(`${name}, in ${label(shape)}`);
    // The oracle takes as long as the whole case, so it runs only in the smallest fleet.
    const compare = shape === shapes[0];
    const result = await runCase('join', { shape, services: 100, joins: count, compare });
    const of = `${name}, ${shape.clusters} clusters`;
    const figures = [
      forInformation(`${of}: CPU`, result.cpuMsPerJoin, 'ms'),
      forInformation(`${of}: objects changed`, result.objectsPerJoin),
      forInformation(`${of}: CPU for each`, result.cpuMsPerObject, 'ms'),
      forInformation(`${of}: runs of all nodes`, result.runsPerJoin),
      ...(result.oracle === undefined ? [] : [mustBe(`${of}: same bytes as from scratch`, result.oracle, true)]),
    ];
    results.push({ shape, ...result, figures });
  }
  return results;
}
