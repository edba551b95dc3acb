/** Views that no current fleet produces: those of agents older than the plugin. */
import type { PolicyRef, Report } from '@meshrelay/api';
import { type DestinationView, key, type MeshFacts, type NativeObject, type Output } from '@meshrelay/plugin';
import { assert, test } from '@meshrelay/testing';
import { translateDestination } from '../../src/translate/destination.ts';

const POLICY: PolicyRef = { kind: 'AccessPolicy', cluster: '', namespace: 'meshrelay', name: 'books' };

const MESH: MeshFacts = {
  key: key('cluster-1', 'osm-system', 'osm-controller'),
  cluster: 'cluster-1',
  clusterDomain: 'cluster.local',
  name: 'osm-controller',
  namespace: 'osm-system',
  type: 'osm',
  trustDomain: 'cluster.local',
  trustDomainAliases: [],
  capturesDns: false,
  ipFamilies: [],
  details: {},
};

function view(serviceAccounts: readonly string[]): DestinationView {
  return {
    destination: {
      key: key('cluster-1', 'shop', 'books'),
      cluster: 'cluster-1',
      namespace: 'shop',
      name: 'books',
      hostname: 'books.shop.svc.cluster.local',
      ports: [{ number: 80, name: 'http', protocol: 'HTTP' }],
      labels: {},
      workloadSelector: { app: 'books' },
      serviceAccounts,
      serviceType: 'CLUSTER_IP',
      headless: false,
      mesh: MESH,
    },
    routes: [],
    subsets: [],
    connection: {},
    otherTrustDomains: [],
    access: [
      {
        action: 'ALLOW',
        sources: { kind: 'principals', principals: ['cluster.local/ns/shop/sa/buyer'] },
        paths: [],
        methods: [],
        ports: [8080],
        notPaths: [],
        notMethods: [],
        notPorts: [],
        from: [POLICY],
      },
    ],
    sharedAccounts: [],
  };
}

function translated(serviceAccounts: readonly string[]): {
  readonly written: readonly string[];
  readonly reports: ReadonlyArray<readonly [PolicyRef, Report]>;
} {
  const written: string[] = [];
  const reports: Array<readonly [PolicyRef, Report]> = [];
  const out: Output = {
    emit: (_cluster, object: NativeObject) => written.push(object.kind),
    contribute: ({ kind }) => written.push(kind.kind),
    patch: ({ object }) => written.push(`${object.kind.kind} patched`),
    report: (policy, report) => reports.push([policy, report]),
  };
  translateDestination(view(serviceAccounts), out);
  return { written: written.sort(), reports };
}

test('without a ServiceAccount nothing is written, and the policy gets a report', () => {
  const { written, reports } = translated([]);
  assert.equal(written, []);
  assert.equal(
    reports.map(([policy, { code, severity }]) => [policy, code, severity]),
    [[POLICY, 'NO_SERVICE_ACCOUNT', 'warning']],
  );
});

test('with one, the whole translation is written', () => {
  const { written, reports } = translated(['books']);
  assert.equal(written, ['HTTPRouteGroup', 'TCPRoute', 'TrafficTarget']);
  assert.equal(reports, []);
});

test.run();
