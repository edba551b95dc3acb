/** One field of one object at a time, null or of another type: nothing throws, no stage fails, what does not depend on that object stays as it is. */
import process from 'node:process';
import type { KubeObject } from '@meshrelay/api';
import * as istio from '@meshrelay/plugin-istio/fixture';
import { expandFleet } from '@meshrelay/plugin-kit';
import * as osm from '@meshrelay/plugin-osm/fixture';
import { assert, test } from '@meshrelay/testing';
import fc from 'fast-check';
import { type Dose, doses } from '../src/poison.ts';
import { PoisonWard } from '../src/poison-ward.ts';
import type { Change } from '../src/world.ts';

/** Doses tried; MESHRELAY_POISON asks for more. */
const DOSES = Number(process.env['MESHRELAY_POISON'] ?? 600);

const services = {
  'cart.shop': { ports: ['http:80:8080'], versions: ['v1', 'v2'] },
  'pay.shop': { ports: ['tcp-db:5432'] },
};
const gateway = {
  'gw.istio-system': {
    ports: ['tls:15443'],
    labels: { istio: 'ingressgateway' },
    selector: { istio: 'ingressgateway' },
    loadBalancer: '198.51.100.1',
  },
};
const idle = (cluster: string): KubeObject[] =>
  [
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop', labels: { 'istio-injection': 'enabled' } } },
    {
      apiVersion: 'apps/v1',
      kind: 'StatefulSet',
      metadata: { name: `idle-${cluster}`, namespace: 'shop' },
      spec: {
        template: { metadata: { labels: { app: 'idle' } }, spec: { serviceAccountName: 'idle', containers: [] } },
      },
    },
    {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 'idle', namespace: 'shop' },
      spec: { selector: { app: 'idle' }, ports: [{ name: 'http', port: 80 }] },
    },
    {
      apiVersion: 'networking.istio.io/v1',
      kind: 'VirtualService',
      metadata: { name: 'own', namespace: 'bank', labels: { app: 'own' } },
      spec: {
        hosts: ['own.example'],
        gateways: ['mesh'],
        http: [{ route: [{ destination: { host: 'own.example' } }] }],
      },
    },
  ] as unknown as KubeObject[];
const names = ['east', 'west'] as const;
const istioFleet = expandFleet(
  {
    about: '',
    clusters: Object.fromEntries(
      names.map((name) => [name, { services: { ...services, ...gateway }, objects: idle(name), region: name }]),
    ),
    management: [
      {
        VirtualMesh: 'vm',
        spec: {
          meshes: names.map((name) => ({ name: `istiod-istio-system-${name}`, namespace: 'meshrelay' })),
          federation: { mode: 'ALL' },
          globalAccessPolicy: 'ENABLED',
        },
      },
      {
        TrafficPolicy: 'shift',
        spec: {
          destinationSelector: [
            { kubeServiceRefs: { services: [{ name: 'cart', namespace: 'shop', clusterName: 'east' }] } },
          ],
          httpRequestMatchers: [{ uri: { prefix: '/api' }, headers: [{ name: 'h', value: 'v' }] }],
          policy: {
            trafficShift: {
              destinations: [
                {
                  weight: 60,
                  kubeService: { name: 'cart', namespace: 'shop', clusterName: 'east', subset: { version: 'v1' } },
                },
                { weight: 40, kubeService: { name: 'cart', namespace: 'shop', clusterName: 'west' } },
              ],
            },
            retries: { attempts: 2, perTryTimeout: '1s' },
          },
        },
      },
      {
        AccessPolicy: 'readers',
        spec: {
          sourceSelector: [
            { kubeServiceAccountRefs: { serviceAccounts: [{ name: 'pay', namespace: 'shop', clusterName: 'east' }] } },
          ],
          destinationSelector: [
            { kubeServiceMatcher: { labels: { app: 'cart' }, namespaces: ['shop'], clusters: ['east', 'north'] } },
          ],
          allowedMethods: ['GET'],
        },
      },
    ],
  },
  { type: 'istio', fixture: istio },
);
const osmFleet = expandFleet({ about: '', clusters: { north: { services } } }, { type: 'osm', fixture: osm });

const objects: Change[] = [
  ...[...istioFleet.clusters, ...osmFleet.clusters].flatMap(({ name, objects: all }) =>
    all.map((object) => ({ cluster: name, object, gone: false })),
  ),
  ...istioFleet.management.map((object) => ({ cluster: '', object, gone: false })),
];

const KINDS = [
  'Pod',
  'Service',
  'EndpointSlice',
  'Node',
  'Namespace',
  'Deployment',
  'StatefulSet',
  'ConfigMap',
  'MeshConfig',
  'VirtualService',
];
const OURS = ['VirtualMesh', 'TrafficPolicy', 'AccessPolicy'];

const all: ReadonlyArray<readonly [Change, Dose]> = objects.flatMap((change) =>
  doses(change.object).map((dose) => [change, dose] as const),
);

test('every kind that is read is among those that are spoilt', () => {
  const spoilt = new Set(all.map(([{ object }]) => object.kind));
  for (const kind of [...KINDS, ...OURS]) assert.ok(spoilt.has(kind), kind);
  assert.ok(all.length > 2000, `${all.length} doses`);
});

test('a spoilt object harms nothing that does not depend on it', () => {
  const ward = new PoisonWard(objects);
  assert.ok(ward.size > 20, `${ward.size} outputs`);
  const chosen = DOSES >= all.length ? all : fc.sample(fc.constantFrom(...all), { numRuns: DOSES, seed: 20_261_121 });
  const harm = chosen.flatMap(([change, dose]) => ward.give(change, dose));
  assert.equal(harm.slice(0, 20), []);
});

test.run();
