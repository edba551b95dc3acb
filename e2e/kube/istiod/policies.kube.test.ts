/**
 * A policy that is applied somewhere without a report changes what istiod sends to some proxy: its outputs have an
 * effect.
 */
import process from 'node:process';
import type { KubeObject } from '@meshrelay/api';
import { type RandomFleet, randomFleets } from '@meshrelay/properties/random-outputs';
import { type ComputedStatus, policyKey } from '@meshrelay/relay-core';
import { assert, scaledRuns, test } from '@meshrelay/testing';
import { istioCluster } from '../../src/istiod/cluster.ts';
import { type ClusterObjects, withWritten } from '../../src/istiod/fleet.ts';
import { allOf, reportedBy } from '../../src/istiod/reported.ts';

/** Number of random fleets. */
const RUNS = scaledRuns(30);
const SEED = Number(process.env['MESHRELAY_SEED'] ?? 20_261_123);
/** Finding its effects needs more than one comparison. */
const EVALUATED_DIFFERENTLY = new Set(['VirtualMesh']);

/** The clusters of a fleet, with the objects that a control plane writes there. */
function clustersOf(state: RandomFleet['state'], plane: RandomFleet['plane']): ClusterObjects[] {
  const names = [...new Set(state.map(({ cluster }) => cluster))].filter((name) => name !== '');
  const clusters = names.map((name) => ({
    name,
    objects: state.filter(({ cluster }) => cluster === name).map(({ object }) => object),
  }));
  return withWritten(clusters, plane);
}

/** Accepted for some target without a report, and with no Mesh that blocks it: a mesh may need its user's consent. */
function isApplied(status: ComputedStatus | undefined): boolean {
  const targets = status?.targets ?? [];
  const isBlocked = targets.some(({ kind, state }) => kind === 'Mesh' && state !== 'ACCEPTED');
  return !isBlocked && targets.some(({ state, reports }) => state === 'ACCEPTED' && reports.length === 0);
}

/** Objects that Istio reads. */
function specsOf({ written }: ClusterObjects): string {
  return JSON.stringify(
    written.map((object: KubeObject & { readonly spec?: unknown }) => [object.kind, object.metadata.name, object.spec]),
  );
}

test(`policies of ${RUNS} random fleets (seed ${SEED})`, () => {
  const idle: string[] = [];
  let evaluated = 0;
  for (const [at, fleet] of [...randomFleets(RUNS, SEED)].entries()) {
    const { state, plane } = fleet;
    const before = clustersOf(state, plane);
    for (const one of state) {
      const { kind, metadata } = one.object;
      const { name, namespace = '' } = metadata;
      const ref = { kind, cluster: one.cluster, namespace, name };
      if (EVALUATED_DIFFERENTLY.has(kind) || !isApplied(plane.statuses.get(policyKey(ref))?.status)) continue;
      const after = clustersOf(state, fleet.without(one));
      const changed = before.flatMap((cluster, position) => {
        const other = after[position] as ClusterObjects;
        return specsOf(cluster) === specsOf(other) ? [] : [cluster, other];
      });
      if (changed.length === 0) continue;
      evaluated += 1;
      const reported = reportedBy(changed.flatMap(({ objects, written }) => istioCluster(objects, written) ?? [])).map(
        allOf,
      );
      if (reported.every((all, position) => position % 2 === 1 || all === reported[position + 1]))
        idle.push(`fleet ${at}: ${kind} ${namespace}/${name} of cluster '${one.cluster}'`);
    }
  }
  assert.equal(idle, []);
  assert.ok(evaluated >= RUNS / 3, `${evaluated} policies evaluated`);
});

test.run();
