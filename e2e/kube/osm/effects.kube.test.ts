/**
 * Every object and field that plugin-osm writes changes what OSM sends to some proxy: nothing is written without
 * effect.
 */
import { isDeepStrictEqual } from 'node:util';
import type { KubeObject } from '@meshrelay/api';
import osmPlugin from '@meshrelay/plugin-osm';
import * as fixture from '@meshrelay/plugin-osm/fixture';
import { valuesInOrder } from '@meshrelay/relay-core';
import { assert, test } from '@meshrelay/testing';
import { altered, fieldOf, leavesOf, type Path, valueAt, without } from '../../src/fields.ts';
import { goldenFleets } from '../../src/golden-fleets.ts';
import { type OsmCluster, reportedByOsm } from '../../src/osm/program.ts';

/**
 * Cases whose policies report it: OSM does not know such accounts; a user's object has the name of one that would refer
 * to a generated object; OSM uses either of two for one Service.
 */
const REPORTED = ['names', 'users-objects', 'object-conflicts'];

/** OSM knows only ServiceAccounts and does not read the kind; SMI's CRD requires these fields. */
const REQUESTED_FOR = ['TrafficTarget spec.destination.kind', 'TrafficTarget spec.sources[].kind'];

/** An object among those written to a cluster. */
interface Written {
  readonly name: string;
  /** The cluster's other objects. */
  readonly others: readonly KubeObject[];
  readonly all: readonly KubeObject[];
  readonly object: KubeObject;
}

/** Number of places of a field that are tried. */
const MAX_PLACES = 4;

function idOf({ kind, metadata: { namespace, name } }: KubeObject): string {
  return `${kind} ${namespace}/${name}`;
}

const written = goldenFleets(osmPlugin, fixture)
  .filter(({ name }) => !REPORTED.includes(name))
  .flatMap(({ name, inputs, plane }) =>
    inputs.clusters.flatMap((cluster): Written[] => {
      const all = valuesInOrder(plane.desired)
        .filter((one) => one.cluster === cluster.name)
        .map(({ object }) => object as unknown as KubeObject)
        .filter(({ apiVersion }) => /(?:smi-spec\.io|openservicemesh\.io)\//.test(apiVersion));
      const ids = new Set(all.map(idOf));
      const others = cluster.objects.filter((object) => !ids.has(idOf(object)));
      return all.map((object) => ({ name: `${name}, ${cluster.name}: ${idOf(object)}`, others, all, object }));
    }),
  );

/** Whether some proxy's configuration changes in the presence of the other objects, in either mode. */
function differing(changes: ReadonlyArray<Written & { readonly changed: readonly KubeObject[] }>): boolean[] {
  const requested = changes.flatMap(({ others, all, changed }): OsmCluster[] =>
    [false, true].flatMap((permissive) => [
      { permissive, objects: [...others, ...all] },
      { permissive, objects: [...others, ...changed] },
    ]),
  );
  const reported = reportedByOsm(requested);
  return changes.map((_, at) =>
    [4 * at, 4 * at + 2].some((before) => reported[before + 1] !== 'null' && reported[before] !== reported[before + 1]),
  );
}

test('every object has an effect', () => {
  assert.ok(written.length > 100, `${written.length} objects`);
  const effects = differing(
    written.map((one) => ({ ...one, changed: one.all.filter((other) => other !== one.object) })),
  );
  assert.equal(
    written.filter((_, at) => !effects[at]).map(({ name }) => name),
    [],
  );
});

test('every field has an effect somewhere, or its CRD requires it', () => {
  const places = new Map<string, Array<Written & { readonly path: Path; readonly value: unknown }>>();
  for (const one of written) {
    for (const path of leavesOf(one.object, 'spec')) {
      const field = `${one.object.kind} ${fieldOf(path)}`;
      const value = valueAt(one.object, path);
      const before = places.get(field) ?? [];
      if (!before.some((other) => isDeepStrictEqual(other.value, value)))
        places.set(field, [...before, { ...one, path, value }]);
    }
  }
  assert.ok(places.size > 25, `${places.size} fields`);
  // Most fields have an effect at the first place, and by their absence; for the others, each round checks more.
  let left = [...places];
  for (let at = 0; at < MAX_PLACES; at += 1)
    for (const change of [without, altered]) {
      const changes = left.flatMap(([field, some]) =>
        some.slice(at, at + 1).map((place) => ({
          ...place,
          field,
          changed: place.all.map((other) => (other === place.object ? change(other, place.path) : other)),
        })),
      );
      const effects = differing(changes);
      const used = new Set(changes.filter((_, nth) => effects[nth]).map(({ field }) => field));
      left = left.filter(([field]) => !used.has(field));
    }
  assert.equal(
    left.map(([field]) => field),
    REQUESTED_FOR,
  );
});

test.run();
