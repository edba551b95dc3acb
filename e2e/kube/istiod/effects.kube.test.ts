/** Every field that plugin-istio writes changes what istiod sends to some proxy: no field is written without effect. */
import { isDeepStrictEqual } from 'node:util';
import type { KubeObject } from '@meshrelay/api';
import istioPlugin from '@meshrelay/plugin-istio';
import * as fixture from '@meshrelay/plugin-istio/fixture';
import { assert, test } from '@meshrelay/testing';
import { altered, fieldOf, leavesOf, type Path, valueAt, without } from '../../src/fields.ts';
import { goldenFleets } from '../../src/golden-fleets.ts';
import { type IstioCluster, isPatch, istioCluster } from '../../src/istiod/cluster.ts';
import { type ClusterObjects, withWritten } from '../../src/istiod/fleet.ts';
import { callIstiod } from '../../src/istiod/program.ts';
import { allOf, reportedBy } from '../../src/istiod/reported.ts';

/** A place where a field is written. */
interface Place {
  readonly cluster: ClusterObjects;
  /** Index among the written objects. */
  readonly position: number;
  readonly path: Path;
  readonly value: unknown;
}

/** Cases with a route that never receives a request, which the policy reports. */
const SHADOWED = ['overlaps', 'workload-cluster-first'];

const fleets = goldenFleets(istioPlugin, fixture).filter(({ name }) => !SHADOWED.includes(name));
const clusters = fleets.flatMap(({ inputs, plane }) => withWritten(inputs.clusters, plane));

/** The part of a patch that determines a field. */
function isOfValue([, name]: Path): boolean {
  return name === 'set' || name === 'include';
}

/** Where each field is written, by kind and field: once per value and cluster. */
const places = new Map<string, Place[]>();
for (const cluster of clusters) {
  for (const [position, object] of cluster.written.entries()) {
    for (const path of isPatch(object) ? leavesOf(object, 'spec').filter(isOfValue) : leavesOf(object, 'spec')) {
      const name = `${object.kind} ${fieldOf(path)}`;
      const before = places.get(name) ?? [];
      const value = valueAt(object, path);
      const isKnown = before.some((one) => one.cluster === cluster && isDeepStrictEqual(one.value, value));
      if (!isKnown) places.set(name, [...before, { cluster, position, path, value }]);
    }
  }
}

/** Number of objects that istiod reads: small clusters take it less time. */
function sizeOf({ cluster: { objects, written } }: Place): number {
  return objects.length + written.length;
}

/** The places where a change of the field changes istiod's output. */
function used(some: readonly Place[], change: (object: KubeObject, path: Path) => KubeObject): Place[] {
  const requested = some.flatMap(({ cluster: { objects, written }, position, path }) =>
    [written, written.map((object, at) => (at === position ? change(object, path) : object))].map(
      (all) => istioCluster(objects, all) as IstioCluster,
    ),
  );
  const reported = reportedBy(requested).map(allOf);
  return some.filter((_, at) => {
    const [before, after] = reported.slice(2 * at, 2 * at + 2);
    return before !== undefined && after !== undefined && before !== after;
  });
}

/** Whether istiod's webhook rejects the object without the field. */
function isRequired({ cluster: { written }, position, path }: Place): boolean {
  const object = written[position] as KubeObject;
  return callIstiod('validate', [without(object, path)])[0] !== '';
}

test('every field has an effect somewhere, or istiod itself requires it', () => {
  assert.ok(places.size > 150, `${places.size} fields`);
  let left = [...places].map(
    ([name, all]) => [name, all.toSorted((a, b) => sizeOf(a) - sizeOf(b))] satisfies [string, Place[]],
  );
  // Most fields have an effect wherever they are written, and by their absence; for the others, each round checks more.
  for (let [from, to] = [0, 1]; left.some(([, all]) => all.length > from); [from, to] = [to, 3 * to]) {
    for (const change of [without, altered]) {
      const seen = new Set(
        used(
          left.flatMap(([, all]) => all.slice(from, to)),
          change,
        ),
      );
      left = left.filter(([, all]) => !all.some((place) => seen.has(place)));
    }
  }
  const idle = left.filter(([, [first]]) => first === undefined || !isRequired(first)).map(([name]) => name);
  assert.equal(idle, []);
});

test.run();
