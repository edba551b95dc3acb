/**
 * OSM's own bookstore example, injected as OSM does: every Service is discovered with its mesh and its ServiceAccounts.
 */
import { readFileSync } from 'node:fs';
import type { Destination, KubeObject, Workload } from '@meshrelay/api';
import { agentObjects, loadPlugins } from '@meshrelay/relay-core';
import { assert, sharedPath, test } from '@meshrelay/testing';
import { parseAllDocuments } from 'yaml';
import { controlPlane, injected } from '../../src/fixture.ts';
import osm from '../../src/mod.ts';

const plugins = loadPlugins([{ module: '@meshrelay/plugin-osm', plugin: osm }]);
const file = sharedPath('inputs', 'osm-bookstore', 'gloo-mesh-ci-osm-demo.yaml');

type Deployment = KubeObject & {
  readonly spec: { readonly template: { readonly metadata: { readonly labels: object }; readonly spec: object } };
};

/** The pod that the Deployment's controllers and the injector create. */
function podOf({ metadata, spec: { template } }: Deployment): KubeObject {
  return injected({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: `${metadata.name}-1`, namespace: metadata.namespace, labels: template.metadata.labels },
    spec: template.spec,
  } as unknown as KubeObject);
}

if (file !== undefined) {
  const objects = parseAllDocuments(readFileSync(file, 'utf8'))
    .map((document) => document.toJS() as KubeObject | null)
    .filter((object) => object !== null);
  const pods = objects.filter(({ kind }) => kind === 'Deployment').map((object) => podOf(object as Deployment));
  const found = agentObjects({ name: 'cluster-1', objects: [...objects, ...pods, ...controlPlane({})] }, plugins);
  const destinations = new Map(
    found.filter(({ kind }) => kind === 'Destination').map((one) => [one.metadata.name, (one as Destination).spec]),
  );

  test('finds every Service of the example', () => {
    assert.equal([...destinations.keys()].sort(), [
      'bookbuyer',
      'bookstore',
      'bookstore-v1',
      'bookstore-v2',
      'bookthief',
      'bookwarehouse',
    ]);
  });

  for (const name of ['bookbuyer', 'bookstore-v1', 'bookstore-v2', 'bookthief', 'bookwarehouse']) {
    test(`${name} is in the mesh, with its own ServiceAccount and no subset labels`, () => {
      const spec = destinations.get(name);
      assert.equal(spec?.mesh, { name: 'osm-controller', namespace: 'osm-system' });
      assert.equal(spec?.kubeService.serviceAccounts, [name]);
      assert.equal(spec?.kubeService.subsets, {});
    });
  }

  test('the root Service has no pods of its own, so it is not in a mesh', () => {
    assert.is(destinations.get('bookstore')?.mesh, undefined);
  });

  test('every workload is in the mesh', () => {
    const workloads = found.filter(({ kind }) => kind === 'Workload') as Workload[];
    assert.is(workloads.length, pods.length);
    assert.ok(workloads.every(({ spec }) => spec.mesh?.name === 'osm-controller'));
  });
}

test.run();
