/** A plugin's details of a Service reach the views of its own meshes only. */
import type { Destination, JsonObject, KubeObject } from '@meshrelay/api';
import { type CapabilityTable, DEPLOYMENT, defineMeshPlugin, POD, SERVICE, VIEW_FIELDS } from '@meshrelay/plugin';
import { assert, test } from '@meshrelay/testing';
import { agentObjects, buildFleet, loadPlugins } from '../../src/mod.ts';
import { sha256 as hash } from '../support/hash.ts';

const CLUSTER = 'cluster-1';

type Seen = Record<string, { readonly details: unknown; readonly targets: unknown }>;

/** Returns the annotation `<name>/word` of Services; pods with the label `mesh: <name>` are members. */
function meshOf(name: string, seen: Seen) {
  return defineMeshPlugin<unknown>({
    name,
    contract: 1,
    watches: [],
    writes: [],
    capabilities: Object.fromEntries(VIEW_FIELDS.map((field) => [field, 'native'])) as CapabilityTable,
    discover({ graph, objects, meshes, members, serviceDetails }) {
      meshes(
        graph.derive(`${name}/meshes`, objects(DEPLOYMENT), ({ metadata }) =>
          metadata.name === name ? { name, namespace: 'mesh-system', trustDomain: 'cluster.local' } : undefined,
        ),
      );
      members(
        graph.derive(`${name}/members`, objects(POD), ({ metadata }) =>
          metadata.labels?.['mesh'] === name ? { mesh: { name, namespace: 'mesh-system' } } : undefined,
        ),
      );
      serviceDetails(
        graph.derive(`${name}/words`, objects(SERVICE), ({ metadata }): JsonObject | undefined => {
          const word = metadata.annotations?.[`${name}/word`];
          return word === undefined ? undefined : { word };
        }),
      );
    },
    translateDestination({ destination, routes }) {
      const targets = routes.flatMap(({ actions }) => actions.shift?.value ?? []);
      seen[destination.name] = { details: destination.details, targets: targets.map(({ details }) => details) };
    },
  });
}

const object = (apiVersion: string, kind: string, metadata: object, spec: object): KubeObject =>
  ({ apiVersion, kind, metadata, spec }) as unknown as KubeObject;

const controlPlane = (name: string): KubeObject =>
  object('apps/v1', 'Deployment', { name, namespace: 'mesh-system' }, { template: { spec: { containers: [] } } });

const service = (name: string, annotations?: Readonly<Record<string, string>>): KubeObject =>
  object(
    'v1',
    'Service',
    { name, namespace: 'shop', ...(annotations === undefined ? {} : { annotations }) },
    { selector: { app: name }, ports: [{ name: 'http', port: 80 }] },
  );

const pod = (app: string, mesh: string): KubeObject =>
  object('v1', 'Pod', { name: `${app}-1`, namespace: 'shop', labels: { app, mesh } }, { containers: [] });

const BOTH = { 'one/word': 'a', 'two/word': 'b' };

const OBJECTS: readonly KubeObject[] = [
  ...['one', 'two'].map(controlPlane),
  service('cart', BOTH),
  pod('cart', 'one'),
  service('stock', { 'one/word': 'c' }),
  pod('stock', 'one'),
  service('plain'),
  pod('plain', 'one'),
  service('other', BOTH),
  pod('other', 'two'),
];

const shift = object(
  'networking.meshrelay.dev/v1alpha1',
  'TrafficPolicy',
  { name: 'onwards', namespace: 'policies' },
  {
    destinationSelector: [{ kubeServiceMatcher: { namespaces: ['shop'] } }],
    policy: {
      trafficShift: {
        destinations: ['cart', 'stock', 'plain', 'other'].map((name) => ({
          weight: 25,
          kubeService: { name, namespace: 'shop', clusterName: CLUSTER },
        })),
      },
    },
  },
);

const pluginsOf = (seen: Seen) =>
  loadPlugins(['one', 'two'].map((name) => ({ module: name, plugin: meshOf(name, seen) })));

test('a Destination has details by plugin name, and no field without details', () => {
  const found = agentObjects({ name: CLUSTER, objects: OBJECTS }, pluginsOf({}));
  const details = found
    .filter((one): one is Destination => one.kind === 'Destination')
    .map(({ metadata, spec }) => [metadata.name, spec.details]);
  assert.equal(Object.fromEntries(details), {
    cart: { one: { word: 'a' }, two: { word: 'b' } },
    stock: { one: { word: 'c' } },
    plain: undefined,
    other: { one: { word: 'a' }, two: { word: 'b' } },
  });
});

test('a view has the details of its own plugin, for its destination and for its route targets', () => {
  const seen: Seen = {};
  const plugins = pluginsOf(seen);
  buildFleet({ clusters: [{ name: CLUSTER, objects: OBJECTS }], management: [shift], plugins, hash });
  const ofOne = [{ word: 'a' }, { word: 'c' }, undefined, undefined];
  assert.equal(seen, {
    cart: { details: { word: 'a' }, targets: ofOne },
    stock: { details: { word: 'c' }, targets: ofOne },
    plain: { details: undefined, targets: ofOne },
    other: { details: { word: 'b' }, targets: [undefined, undefined, undefined, { word: 'b' }] },
  });
});

test.run();
