/** `meshctl describe` on files and on a management cluster. */
import { join } from 'node:path';
import process from 'node:process';
import { meshrelayKind } from '@meshrelay/kube';
import { assert, temporaryFolder, test } from '@meshrelay/testing';
import { describeText } from '../src/describe/describe.ts';
import { policyLines } from '../src/describe/describe-policy.ts';
import { fleetOfPlane } from '../src/describe/known-fleet.ts';
import { fleetFrom } from '../src/offline/fleet-from.ts';
import { readFleet } from '../src/online/fleet.ts';
import { managementCluster, NAMESPACE } from './support/clusters.ts';
import { CLUSTER, policy, writeFiles } from './support/files.ts';
import { meshctlHere } from './support/run.ts';

const FILES = {
  'east.yaml': CLUSTER,
  'virtual.yaml': `apiVersion: networking.meshrelay.dev/v1alpha1
kind: VirtualDestination
metadata: { name: anywhere, namespace: meshrelay }
spec: { hostname: reviews.global, port: { number: 9080, protocol: HTTP }, meshList: { meshes: [] }, localized: { destinationSelectors: [{}] } }
---
apiVersion: admin.meshrelay.dev/v1alpha1
kind: Workspace
metadata: { name: books, namespace: meshrelay }
spec: { clusters: [{ name: east, namespaces: [{ name: somewhere }] }] }
`,
  'config.yaml': `${policy('first', '{ requestTimeout: 5s }')}---\n${policy('second', '{ requestTimeout: 6s }')}`,
};

const folder = temporaryFolder();
process.on('exit', () => folder[Symbol.dispose]());
writeFiles(folder.path, FILES);
const fleet = fleetOfPlane(
  await fleetFrom({
    cluster: [`east=${join(folder.path, 'east.yaml')}`],
    config: [join(folder.path, 'config.yaml'), join(folder.path, 'virtual.yaml')],
    plugin: [],
    namespace: 'meshrelay',
  }),
);

const SHOWN: ReadonlyArray<readonly [kind: string, name: string, says: readonly RegExp[]]> = [
  [
    'mesh',
    'istiod-istio-system-east',
    [
      /^Name: {10}istiod-istio-system-east\nType: {10}istio\nVersion: {7}1\.30\.0\n/,
      /Virtual mesh: {2}none\n/,
      /Destinations \(1\)\n {2}NAME +PORTS +TRAFFIC POLICIES +ACCESS POLICIES\n {2}reviews-bookinfo-east +9080 +2 +0\n/,
    ],
  ],
  [
    'destinations',
    'bookinfo/reviews',
    [/Service: +bookinfo\/reviews\n/, / {2}TrafficPolicy meshrelay\/first +0 +ACCEPTED\n/],
  ],
  [
    'workload',
    'reviews-v1',
    [
      /^Name: +reviews-v1-bookinfo-east-pod\nController: +Pod bookinfo\/reviews-v1\nCluster: +east\nMesh: +istiod-istio-system-east\n/,
      /Labels: +app=reviews/,
      /\n\nDestinations with this workload as endpoint\n {2}NAME +HOST +PORTS\n {2}reviews-bookinfo-east +reviews\.bookinfo\.svc\.cluster\.local +9080\n/,
      /\n\nPolicies on reviews-bookinfo-east[^\n]*\n(?: {2}[^\n]*\n)* {2}TrafficPolicy meshrelay\/first +0 +ACCEPTED\n/,
    ],
  ],
  [
    'policy',
    'second',
    [
      /State: +CONFLICT\n/,
      /Destination bookinfo\/reviews of east +CONFLICT\n {4}error CONFLICT at spec\.policy\.requestTimeout\n {6}\S/,
    ],
  ],
  ['policy', 'anywhere', [/Kind: +VirtualDestination\n/, /State: +INVALID\n/]],
  ['workspace', 'books', [/Kind: +Workspace\n/, /State: +ACCEPTED\n/]],
  ['tp', '_/meshrelay/first', [/Kind: +TrafficPolicy\n/, /State: +ACCEPTED\n/]],
];

for (const [kind, name, says] of SHOWN) {
  test(`${kind} ${name}`, () => {
    const text = describeText(fleet, kind, name);
    for (const one of says) assert.match(text, one);
  });
}

for (const [kind, name, says] of [
  ['destination', 'revews', 'no destination "revews" found; did you mean reviews?'],
  ['mish', 'x', '"mish" is not a kind that can be described; did you mean mesh?'],
  ['workload', 'another', 'no workload "another" found; there are reviews-v1-bookinfo-east-pod'],
] as const) {
  test(`${kind} ${name}: suggests a similar name`, () => {
    assert.throws(
      () => describeText(fleet, kind, name),
      ({ message }: Error) => message === says,
    );
  });
}

test('of a Wasm deployment it lists the progress of Envoys, and the workloads that lag behind', () => {
  const behind = { cluster: 'east', namespace: 'shop', name: 'reviews-v1', pending: 1, failed: 2 };
  const rollout = { deployed: 7, pending: 1, failed: 2, workloads: [{ ...behind, state: 'FAILED' as const }] };
  const text = policyLines({
    ref: { kind: 'WasmDeployment', name: 'auth', namespace: 'meshrelay', cluster: '' },
    status: { observedGeneration: 1, state: 'FAILED', conditions: [], targets: [], reports: [], rollout },
  }).join('\n');
  assert.match(text, /Modules in Envoys: +7 deployed, 1 pending, 2 failed/);
  assert.match(text, /shop\/reviews-v1 +east +FAILED +1 +2/);
});

test('of a destination it lists the meshes that have its name, those that do not, and why', async () => {
  const gateway = (cluster: string) => `---
apiVersion: v1
kind: Service
metadata: { name: gateway, namespace: istio-system, labels: { istio: ingressgateway } }
spec: { type: LoadBalancer, selector: { istio: ingressgateway }, ports: [{ name: tls, port: 15443 }] }
status: { loadBalancer: { ingress: [{ ip: ${cluster === 'east' ? '198.51.100.1' : '198.51.100.2'} }] } }
`;
  const claims = `---
apiVersion: networking.istio.io/v1
kind: ServiceEntry
metadata: { name: mine, namespace: team }
spec: { hosts: [reviews.bookinfo.svc.east.global], ports: [{ number: 9080, name: http, protocol: HTTP }] }
`;
  const mesh = `apiVersion: networking.meshrelay.dev/v1alpha1
kind: VirtualMesh
metadata: { name: all, namespace: meshrelay }
spec:
  meshes: [${['east', 'west'].map((at) => `{ name: istiod-istio-system-${at}, namespace: meshrelay }`).join(', ')}]
  federation: { mode: ALL }
`;
  const described = async (west: string): Promise<string> => {
    writeFiles(folder.path, {
      'known-east.yaml': `${CLUSTER}${gateway('east')}`,
      'known-west.yaml': `${CLUSTER}${gateway('west')}${west}`,
      'mesh.yaml': mesh,
    });
    const where = ['--cluster', 'east=known-east.yaml', '--cluster', 'west=known-west.yaml', '--config', 'mesh.yaml'];
    const { code, stdout } = await meshctlHere(
      ['describe', 'destination', 'reviews-bookinfo-east', ...where],
      folder.path,
    );
    assert.is(code, 0);
    return stdout;
  };
  const known = await described('');
  assert.match(known, /\nTo: +istiod-istio-system-west\n/);
  assert.not.match(known, /do not have it/);
  const claimed = await described(claims);
  assert.match(claimed, /\nTo: +no mesh\n/);
  assert.match(
    claimed,
    /\nNot federated to\n +MESH +WHY\n +istiod-istio-system-west +ServiceEntry team\/mine of cluster west, which is not managed by Meshrelay, /,
  );
});

test('the program, on files', async () => {
  const where = ['--cluster', 'east=east.yaml', '--config', 'config.yaml'];
  const { code, stdout, stderr } = await meshctlHere(['describe', 'policy', 'first', ...where], folder.path);
  assert.equal([code, stderr], [0, '']);
  assert.is(stdout, describeText(fleet, 'policy', 'first'));
});

test('lists all targets from files, and names the command for that when it reads the management cluster', async () => {
  const names = Array.from({ length: 30 }, (_, index) => `reviews-${String(index).padStart(2, '0')}`);
  const services = names.map(
    (name) => `---
apiVersion: v1
kind: Service
metadata: { name: ${name}, namespace: bookinfo }
spec: { selector: { app: reviews }, ports: [{ name: http, port: 9080 }] }
`,
  );
  writeFiles(folder.path, { 'many.yaml': `${CLUSTER}${services.join('')}` });
  const where = ['--cluster', 'east=many.yaml', '--config', 'config.yaml'];
  const { code, stdout } = await meshctlHere(['describe', 'policy', 'second', ...where], folder.path);
  assert.is(code, 0);
  for (const name of names) assert.match(stdout, new RegExp(`Destination bookinfo/${name} of east +CONFLICT`));
  assert.not.match(stdout, /and \d+ more/);
  const stored = {
    observedGeneration: 1,
    state: 'ACCEPTED',
    conditions: [],
    targetCount: 2,
    targets: [],
    reports: [],
  } as const;
  const ref = { kind: 'TrafficPolicy', name: 'second', namespace: 'meshrelay', cluster: '' } as const;
  assert.match(policyLines({ ref, status: stored }).join('\n'), /and 2 more; use cluster files/);
});

test('an unknown word is reported before any cluster is contacted', async () => {
  const { code, stderr } = await meshctlHere(['describe', 'polcy', 'x', '--mgmt-kubeconfig', 'nowhere'], folder.path);
  assert.equal([code, stderr], [1, 'error: "polcy" is not a kind that can be described; did you mean policy?\n']);
});

test('without clusters it reads the management cluster: discovered objects and statuses', async () => {
  await using management = await managementCluster();
  const { connection, kubeconfig } = management;
  await connection.objects(meshrelayKind('Mesh')).create({
    apiVersion: 'discovery.meshrelay.dev/v1alpha1',
    kind: 'Mesh',
    metadata: { name: 'istiod-istio-system-east', namespace: NAMESPACE },
    spec: { type: 'istio', cluster: 'east', installation: { namespace: 'istio-system' } },
  });
  const created = {
    apiVersion: 'networking.meshrelay.dev/v1alpha1',
    kind: 'TrafficPolicy',
    metadata: { name: 'slow', namespace: NAMESPACE },
    spec: { policy: { requestTimeout: '5s' } },
  };
  await connection.objects(meshrelayKind('TrafficPolicy')).create(created);
  const known = await readFleet(connection, NAMESPACE);
  assert.match(describeText(known, 'mesh', 'istiod-istio-system-east'), /Cluster: +east\n/);
  const slow = await meshctlHere(
    ['describe', 'policy', 'meshrelay/slow', '--mgmt-kubeconfig', kubeconfig],
    folder.path,
  );
  assert.equal([slow.code, slow.stderr], [0, '']);
  assert.match(slow.stdout, /State: +not evaluated yet\n/);
  await connection.objects(meshrelayKind('Workspace')).create({
    apiVersion: 'admin.meshrelay.dev/v1alpha1',
    kind: 'Workspace',
    metadata: { name: 'books', namespace: NAMESPACE },
    spec: { clusters: [{ name: 'east' }] },
  });
  assert.match(describeText(await readFleet(connection, NAMESPACE), 'policy', 'books'), /Kind: +Workspace\n/);
});

test.run();
