/**
 * A pending policy takes effect when its missing object appears, and its effect is removed when that object is deleted.
 */

import { groupOf } from '@meshrelay/plugin';
import { expandFleet, type FleetSpec, GoldenFolder, sha256 as hash } from '@meshrelay/plugin-kit';
import {
  agentObjects,
  buildFleet,
  type ControlPlane,
  deleteObject,
  loadPlugins,
  setObject,
} from '@meshrelay/relay-core';
import { assert, test } from '@meshrelay/testing';
import * as fixture from '../src/fixture.ts';
import istio from '../src/mod.ts';

const plugins = loadPlugins([{ module: 'istio', plugin: istio }]);
const cases = new GoldenFolder(new URL('./golden', import.meta.url));
const expand = (spec: FleetSpec) => expandFleet(spec, { type: 'istio', fixture });
const stateOf = ({ statuses }: ControlPlane, name: string) =>
  [...statuses.entries()].map(([, one]) => one).find(({ ref }) => ref.name === name)?.status.state;

test('a missing Service appears and is deleted', () => {
  const fleet = buildFleet({ ...expand(cases.input('missing-reference')), plugins, hash });
  const before = JSON.stringify([...fleet.desired.entries()]);
  assert.is(stateOf(fleet, 'target'), 'PENDING');
  const { clusters } = expand({
    about: '',
    clusters: { 'cluster-1': { services: { 'ratings.bookinfo': { ports: ['http:9080'] } } } },
  });
  const found = clusters
    .flatMap((cluster) => agentObjects(cluster, plugins))
    .filter(({ kind }) => kind === 'Destination');
  fleet.graph.commit((transaction) => {
    for (const object of found) setObject(transaction, fleet.fleetState, 'cluster-1', object);
  });
  assert.is(stateOf(fleet, 'target'), 'ACCEPTED');
  assert.ok([...fleet.desired.entries()].some(([, { object }]) => object.metadata.name === 'meshrelay-ratings'));
  fleet.graph.commit((transaction) => {
    for (const { apiVersion, kind, metadata } of found)
      deleteObject(transaction, fleet.fleetState, 'cluster-1', {
        group: groupOf(apiVersion),
        kind,
        namespace: metadata.namespace ?? '',
        name: metadata.name,
      });
  });
  assert.is(stateOf(fleet, 'target'), 'PENDING');
  assert.is(JSON.stringify([...fleet.desired.entries()]), before);
});

test('user objects with hosts of existing generated objects appear and are deleted: generated objects are removed, then restored', () => {
  const spec = cases.input('conflict-federation');
  const without = Object.entries(spec.clusters).map(([name, { objects: _objects, ...cluster }]) => [name, cluster]);
  const fleet = buildFleet({ ...expand({ ...spec, clusters: Object.fromEntries(without) }), plugins, hash });
  const scratch = buildFleet({ ...expand(spec), plugins, hash });
  const saidBy = ({ desired, statuses }: ControlPlane) =>
    JSON.stringify([desired, statuses].map((all) => [...all.entries()].sort(([a], [b]) => (a < b ? -1 : 1))));
  const before = saidBy(fleet);
  const users = Object.entries(spec.clusters).flatMap(([cluster, { objects = [] }]) =>
    objects.map((object) => ({ cluster, object })),
  );
  assert.ok(users.length > 5 && saidBy(scratch) !== before);
  for (const { cluster, object } of users)
    fleet.graph.commit((transaction) => setObject(transaction, fleet.fleetState, cluster, object));
  assert.is(saidBy(fleet), saidBy(scratch));
  for (const { cluster, object } of users.toReversed()) {
    const { apiVersion, kind, metadata } = object;
    const id = { group: groupOf(apiVersion), kind, namespace: metadata.namespace ?? '', name: metadata.name };
    fleet.graph.commit((transaction) => deleteObject(transaction, fleet.fleetState, cluster, id));
  }
  assert.is(saidBy(fleet), before);
});

test.run();
