/** Random decisions of administrators: permissions, installation settings, and cluster domains. */
import type { KubeObject } from '@meshrelay/api';
import fc from 'fast-check';
import { CLUSTER_NAMES, type Event, NAMESPACES, POLICY_NAMES, someCluster } from './fleet.ts';

const one = fc.constantFrom;
const WORKSPACES = ['shops', 'banks'] as const;
const GROUPS = { admin: 'admin.meshrelay.dev/v1alpha1', multicluster: 'multicluster.meshrelay.dev/v1alpha1' } as const;
const TEAMS = [undefined, { team: 'red' }, { team: 'blue' }] as const;

function change(
  cluster: string,
  apiVersion: string,
  kind: string,
  metadata: object,
  spec: object,
  gone: boolean,
): Event {
  return [{ cluster, gone, object: { apiVersion, kind, metadata, spec } as unknown as KubeObject }];
}

/** Most workspaces include everything, so that policies keep having targets. */
const workspace: fc.Arbitrary<Event> = fc
  .record({
    name: one(...WORKSPACES),
    clusters: one<object[][]>(
      [{ name: '*' }, { name: '' }],
      [{ name: '*' }, { name: '' }],
      [{ name: '*', namespaces: [{ name: 'shop' }, { name: 'istio-system' }, { name: 'osm-system' }] }, { name: '' }],
      [{ name: '*', namespaces: [{ name: 'bank' }] }],
      [
        { name: '*', namespaces: [{ labels: { team: 'red' } }] },
        { name: '', namespaces: [{}] },
      ],
      [{ name: 'east' }, { name: '' }],
    ),
    gone: fc.nat(2),
  })
  .map(({ name, clusters, gone }) =>
    change('', GROUPS.admin, 'Workspace', { name, namespace: 'meshrelay', uid: `uid-${name}` }, { clusters }, gone > 0),
  );

const resources = one(
  [{ kind: 'Destination' }],
  [{ kind: 'Destination', labels: { tier: 'front' } }],
  [{ kind: 'Destination', namespace: 'bank' }],
);
const shares = fc
  .tuple(one(...WORKSPACES), resources)
  .map(([name, shared]) => [{ workspace: { name }, resources: shared }]);

const workspaceSettings: fc.Arbitrary<Event> = fc
  .record({
    cluster: one('', ...CLUSTER_NAMES),
    namespace: one(...NAMESPACES, 'meshrelay'),
    name: one(...POLICY_NAMES),
    exportTo: shares,
    importFrom: shares,
    isolated: fc.boolean(),
    gone: fc.nat(3),
  })
  .map(({ cluster, namespace, name, exportTo, importFrom, isolated, gone }) => {
    const spec = { exportTo, importFrom, ...(isolated ? { options: { serviceIsolation: true } } : {}) };
    return change(cluster, GROUPS.admin, 'WorkspaceSettings', { name, namespace }, spec, gone === 0);
  });

/** An installation has one Settings object. */
export const settings: fc.Arbitrary<Event> = fc
  .record({
    istio: fc.boolean(),
    osm: fc.boolean(),
    tlsMode: one(undefined, 'ISTIO_MUTUAL', 'DISABLE'),
    gone: fc.nat(5),
  })
  .map(({ istio, osm, tlsMode, gone }) => {
    const spec = {
      patches: { istio: { meshConfig: istio }, osm: { meshConfig: osm } },
      ...(tlsMode === undefined ? {} : { mtls: { istio: { tlsMode } } }),
    };
    return change('', GROUPS.admin, 'Settings', { name: 'settings', namespace: 'meshrelay' }, spec, gone === 0);
  });

const kubernetesCluster: fc.Arbitrary<Event> = fc
  .record({
    name: someCluster,
    clusterDomain: one(undefined, undefined, 'cluster.local', 'else.local'),
    suspended: one(undefined, false, false, true),
    gone: fc.nat(2),
  })
  .map(({ name, gone, ...spec }) =>
    change('', GROUPS.multicluster, 'KubernetesCluster', { name, namespace: 'meshrelay' }, spec, gone === 0),
  );

const namespace: fc.Arbitrary<Event> = fc
  .record({ cluster: someCluster, name: one(...NAMESPACES), labels: one(...TEAMS), gone: fc.nat(3) })
  .map(({ cluster, name, labels, gone }) =>
    change(cluster, 'v1', 'Namespace', { name, ...(labels === undefined ? {} : { labels }) }, {}, gone === 0),
  );

/** Objects that may exist from the beginning without making most policies ineffective. */
export const choices: fc.Arbitrary<Event> = fc.oneof(settings, kubernetesCluster, namespace);

/** Any of it. */
export const administration: fc.Arbitrary<Event> = fc.oneof(
  { weight: 2, arbitrary: workspace },
  { weight: 2, arbitrary: workspaceSettings },
  { weight: 3, arbitrary: choices },
);
