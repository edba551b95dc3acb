/** What waits heals itself when what it waits for comes, and nothing of it is left when that goes. */

import { expandFleet, type FleetSpec, GoldenFolder, sha256 as hash } from '@meshrelay/plugin-kit';
import {
  agentObjects,
  buildFleet,
  type ControlPlane,
  deleteObject,
  groupOf,
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

test('a missing Service comes and goes', () => {
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
    for (const object of found) setObject(transaction, fleet.world, 'cluster-1', object);
  });
  assert.is(stateOf(fleet, 'target'), 'ACCEPTED');
  assert.ok([...fleet.desired.entries()].some(([, { object }]) => object.metadata.name === 'meshrelay-ratings'));
  fleet.graph.commit((transaction) => {
    for (const { apiVersion, kind, metadata } of found)
      deleteObject(transaction, fleet.world, 'cluster-1', {
        group: groupOf(apiVersion),
        kind,
        namespace: metadata.namespace ?? '',
        name: metadata.name,
      });
  });
  assert.is(stateOf(fleet, 'target'), 'PENDING');
  assert.is(JSON.stringify([...fleet.desired.entries()]), before);
});

test.run();
