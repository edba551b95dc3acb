/**
 * The charts, by the real Helm on a real API server: each set of values renders what its golden file has, installs,
 * upgrades and leaves nothing.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { crds } from '@meshrelay/api/crds';
import { ROOT } from '@meshrelay/programs';
import { assert, test } from '@meshrelay/testing';
import { CustomResources } from '@meshrelay/testing/custom-resources';
import { parse, parseAllDocuments, stringify } from 'yaml';
import { documentedHelmCalls } from '../src/documented-helm.ts';
import { chartFolder, helmProgram, realHelm } from '../src/helm.ts';
import { printed } from '../src/rights/accounts.ts';
import { type Result, runProgram } from '../src/run-program.ts';
import { startSuiteCluster } from '../src/suite-cluster.ts';
import { MONITORING_CRDS } from './charts/monitoring-crds.ts';

interface Case {
  readonly chart: 'meshrelay' | 'meshrelay-agent';
  readonly values: object;
}

interface KubeObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly labels?: Readonly<Record<string, string>>;
  };
  readonly [field: string]: unknown;
}

const FOLDER = fileURLToPath(new URL('charts/', import.meta.url));
const NAMESPACE = 'meshrelay';
const UPDATE = process.env['MESHRELAY_GOLDEN'] === 'update';
/** The version of the charts, which each release changes. */
const RELEASE = new RegExp(`(?<![\\d.])${chartVersion().replaceAll('.', '\\.')}(?![\\d.])`, 'g');
/** What each test compares: the kinds that the charts write. */
const LISTED = [
  '/api/v1/configmaps',
  '/api/v1/secrets',
  '/api/v1/serviceaccounts',
  '/api/v1/services',
  '/apis/apps/v1/deployments',
  '/apis/policy/v1/poddisruptionbudgets',
  '/apis/autoscaling/v2/horizontalpodautoscalers',
  '/apis/networking.k8s.io/v1/networkpolicies',
  '/apis/rbac.authorization.k8s.io/v1/roles',
  '/apis/rbac.authorization.k8s.io/v1/rolebindings',
  '/apis/rbac.authorization.k8s.io/v1/clusterroles',
  '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings',
  '/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies',
  '/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicybindings',
  '/apis/monitoring.coreos.com/v1/podmonitors',
  '/apis/monitoring.coreos.com/v1/prometheusrules',
];

const { admin, folder: temporary, kubeconfigFile: kubeconfig } = await startSuiteCluster();
const helmFolders = { HELM_CACHE_HOME: temporary, HELM_CONFIG_HOME: temporary };
const helm = await realHelm({ KUBECONFIG: kubeconfig, ...helmFolders });

for (const namespace of [NAMESPACE, 'istio-system', 'other-mesh', 'osm-system', 'edge'])
  await admin.post('/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
await CustomResources.install(admin, MONITORING_CRDS);

const cases = new Map<string, Case>(
  readdirSync(join(FOLDER, 'values')).map((file) => [
    basename(file, '.yaml'),
    parse(readFileSync(join(FOLDER, 'values', file), 'utf8')),
  ]),
);

for (const [name, { chart, values }] of cases) {
  test(`${name}: the chart renders what its golden file has`, async () => {
    const rendered = withoutChanging(await succeeded(template(chart, values, 'crds.enabled=false')));
    const path = join(FOLDER, 'golden', `${name}.yaml`);
    if (UPDATE) writeFileSync(path, rendered);
    const golden = readFileSync(path, 'utf8');
    assert.is(rendered, golden, `${path} differs; if it should, update it with MESHRELAY_GOLDEN=update and review it`);
  });

  test(`${name}: it installs, upgrades, and leaves nothing`, async () => {
    const before = await present();
    // Tests below install the CRDs.
    const args = [chart, chartFolder(chart), '-n', NAMESPACE, '-f', valuesFile(values), '--set', 'crds.enabled=false'];
    await succeeded(helm('install', ...args));
    const installed = await present();
    assert.ok(installed.size > before.size);
    await succeeded(helm('upgrade', ...args));
    assert.equal([...(await present()).keys()].filter(isNoRelease), [...installed.keys()].filter(isNoRelease));
    await succeeded(helm('uninstall', chart, '-n', NAMESPACE));
    assert.equal([...(await present()).keys()], [...before.keys()]);
  });
}

test('the permissions are those that meshctl cluster rbac prints', async () => {
  const flags: Readonly<Record<string, readonly string[]>> = {
    'server-trial': ['--server'],
    'server-single-cluster': [
      '--server',
      '--direct',
      '--mesh-namespace',
      'istio-system',
      '--patch',
      'istio-system/istio',
    ],
    'agent-trial': [],
    'agent-production': [
      ...['--mesh-namespace', 'istio-system', '--mesh-namespace', 'other-mesh', '--envoy-namespace', 'edge'],
      ...['--patch', 'istio-system/istio-1-28', '--patch', 'osm-system/osm-mesh-config', '--own-secret', 'west-client'],
    ],
  };
  for (const [name, args] of Object.entries(flags)) {
    const { chart, values } = cases.get(name) as Case;
    const rendered = objectsOf(await succeeded(template(chart, values, 'crds.enabled=false')));
    const expected = (await printed('cluster', 'rbac', ...args)).filter(
      ({ kind }) => kind !== 'Namespace' && kind !== 'ServiceAccount',
    );
    assert.ok(expected.length > 5);
    for (const object of expected as unknown as readonly KubeObject[]) {
      const found = rendered.find((other) => keyOf(other) === keyOf(object));
      assert.equal(comparable(found), comparable(object), `${name}: ${keyOf(object)}`);
    }
  }
});

test('each alert has a runbook, and its metrics exist', () => {
  const page = readFileSync(fileURLToPath(new URL('../../docs/operations/alerts.md', import.meta.url)), 'utf8');
  const metrics = readFileSync(fileURLToPath(new URL('../../docs/reference/metrics.md', import.meta.url)), 'utf8');
  for (const chart of ['meshrelay', 'meshrelay-agent'] as const) {
    const { groups } = parse(readFileSync(join(chartFolder(chart), 'files/alerts.yaml'), 'utf8'));
    const rules = groups[0].rules as readonly { readonly alert: string; readonly expr: string }[];
    assert.ok(rules.length > 5);
    for (const { alert, expr } of rules) {
      assert.match(page, `\n### ${alert}\n`);
      for (const [metric] of expr.matchAll(/meshrelay_\w+/g)) assert.match(metrics, `\`${metric}\``);
    }
  }
  const dashboard = readFileSync(join(chartFolder('meshrelay'), 'files/dashboard.json'), 'utf8');
  for (const [metric] of dashboard.matchAll(/meshrelay_\w+/g)) assert.match(metrics, `\`${metric}\``);
});

test('the password of the Redis for trials stays after an upgrade', async () => {
  const args = [
    'meshrelay',
    chartFolder('meshrelay'),
    '-n',
    NAMESPACE,
    '--set',
    'redis.enabled=true,crds.enabled=false',
  ];
  const password = async () => (await admin.get(`/api/v1/namespaces/${NAMESPACE}/secrets/meshrelay-redis`)).body.data;
  await succeeded(helm('install', ...args));
  const first = await password();
  await succeeded(helm('upgrade', ...args, '--set', 'replicas=2'));
  assert.equal(await password(), first);
  await succeeded(helm('uninstall', 'meshrelay', '-n', NAMESPACE));
});

test('CRDs that belong to another release stay with it', async () => {
  const server = ['meshrelay', chartFolder('meshrelay'), '-n', NAMESPACE];
  const agent = [
    ...['meshrelay-agent', chartFolder('meshrelay-agent'), '-n', NAMESPACE],
    ...['--set', 'config.relay.cluster=main', '--set', 'config.relay.serverAddress=meshrelay-mgmt-server:9900'],
  ];
  await succeeded(helm('install', ...server));
  assert.match(await succeeded(helm('install', ...agent)), /CRDs stay with the release meshrelay\/meshrelay,/);
  await succeeded(helm('upgrade', ...server));
  await succeeded(helm('uninstall', 'meshrelay-agent', '-n', NAMESPACE));
  await succeeded(helm('uninstall', 'meshrelay', '-n', NAMESPACE));
});

const AGENT = ['config.relay.cluster=west', 'config.relay.serverAddress=a:1', 'crds.enabled=false'];

test('an autoscaled agent leaves its number of replicas to the autoscaler', async () => {
  const flags = [
    '-n',
    NAMESPACE,
    '--set',
    [...AGENT, 'autoscaling.enabled=true', 'autoscaling.maxReplicas=4'].join(','),
  ];
  const args = ['meshrelay-agent', chartFolder('meshrelay-agent'), ...flags];
  const read = async (path: string) => (await admin.get(`/apis/${path}/meshrelay-agent`)).body;
  const replicas = async () => (await read(`apps/v1/namespaces/${NAMESPACE}/deployments`)).spec.replicas;
  await succeeded(helm('install', ...args));
  const { spec } = await read(`autoscaling/v2/namespaces/${NAMESPACE}/horizontalpodautoscalers`);
  assert.equal([spec.scaleTargetRef.name, spec.minReplicas, spec.maxReplicas], ['meshrelay-agent', 2, 4]);
  const budget = await read(`policy/v1/namespaces/${NAMESPACE}/poddisruptionbudgets`);
  assert.is(budget.spec.minAvailable, 1);
  // As the autoscaler does it.
  const scale = `/apis/apps/v1/namespaces/${NAMESPACE}/deployments/meshrelay-agent/scale`;
  const before = (await admin.get(scale)).body;
  await admin.put(scale, { ...before, spec: { replicas: 3 } });
  await succeeded(helm('upgrade', ...args, '--set', 'podAnnotations.changed=yes'));
  assert.is(await replicas(), 3, 'an upgrade does not change it');
  await succeeded(helm('uninstall', 'meshrelay-agent', '-n', NAMESPACE));
});

test('the ingress of the documentation leads to the Service, by the name that agents send', async () => {
  const page = readFileSync(join(ROOT, 'docs/operations/ingress.md'), 'utf8');
  const files = new Map<string, string>(
    [...page.matchAll(/^```yaml fragment\n# (\S+)\n([\s\S]*?)^```$/gm)].map(([, name = '', text = '']) => [name, text]),
  );
  const file = (name: string) => parse(files.get(name) ?? '');
  const server = objectsOf(await succeeded(template('meshrelay', file('server.yaml'), 'crds.enabled=false')));
  const find = (objects: readonly KubeObject[], kind: string) =>
    parse(stringify(objects.find((object) => object.kind === kind)));
  const agent = objectsOf(await succeeded(template('meshrelay-agent', file('agent.yaml'), 'crds.enabled=false')));
  const { relay } = parse(find(agent, 'ConfigMap').data['config.yaml']);
  const { relay: serving } = parse(find(server, 'ConfigMap').data['config.yaml']);
  const service = find(server, 'Service');
  const port = service.spec.ports[0].port;
  assert.is(service.spec.type, 'ClusterIP');
  assert.ok(serving.serverNames.includes(relay.authority));
  assert.is(relay.serverAddress, `${relay.authority}:443`);

  const ingress = file('ingress.yaml');
  const [{ host, http }] = ingress.spec.rules;
  const backend = http.paths[0].backend.service;
  assert.equal([host, backend.name, backend.port.number], [relay.authority, service.metadata.name, port]);
  const reply = await admin.post(`/apis/networking.k8s.io/v1/namespaces/${NAMESPACE}/ingresses?dryRun=All`, ingress);
  assert.is(reply.status, 201, reply.text);

  const { hostnames, rules } = file('tls-route.yaml').spec;
  assert.equal([hostnames, rules[0].backendRefs], [[relay.authority], [{ name: service.metadata.name, port }]]);
  assert.match(page, `--relay-address ${relay.serverAddress} --set config.relay.authority=${relay.authority}`);
});

for (const page of ['README.md', 'docs/operations/install.md'])
  test(`the helm commands of ${page} install both charts`, async () => {
    const before = await present();
    const calls = documentedHelmCalls(page);
    for (const call of calls) await succeeded(documented(...call));
    const releases = JSON.parse(await succeeded(helm('list', '-n', NAMESPACE, '-o', 'json')));
    assert.equal(
      releases.map(({ name }: { readonly name: string }) => name),
      ['meshrelay', 'meshrelay-agent'],
    );
    for (const { name } of releases) await succeeded(helm('uninstall', name, '-n', NAMESPACE));
    assert.equal([...(await present()).keys()], [...before.keys()]);
  });

test('CRDs that a removed release has left are adopted only on request', async () => {
  const { code, stderr } = await helm('install', 'other', chartFolder('meshrelay'), '-n', NAMESPACE);
  assert.is(code, 1);
  assert.match(stderr, /"meta.helm.sh\/release-name" must equal "other": current value is "meshrelay"/);
  await succeeded(helm('install', 'other', chartFolder('meshrelay'), '-n', NAMESPACE, '--take-ownership'));
  await succeeded(helm('uninstall', 'other', '-n', NAMESPACE));
  for (const { metadata } of crds)
    assert.is(
      (await admin.get(`/apis/apiextensions.k8s.io/v1/customresourcedefinitions/${metadata.name}`)).status,
      200,
    );
});

const refused: readonly (readonly [what: string, chart: Case['chart'], sets: readonly string[], message: RegExp])[] = [
  ['an unknown value', 'meshrelay', ['replica=2'], /additional properties 'replica' not allowed/],
  [
    'an unknown field of the configuration',
    'meshrelay',
    ['config.relai.mode=mtls'],
    /at '\/config': additional properties 'relai' not allowed/,
  ],
  ['a value of the wrong type', 'meshrelay', ['replicas=many'], /at '\/replicas': got string, want null or integer/],
  [
    'a mode that does not exist',
    'meshrelay',
    ['config.relay.mode=plain'],
    /at '\/config\/relay\/mode': value must be one of 'mtls', 'tls'/,
  ],
  [
    'several replicas without a Redis',
    'meshrelay',
    ['replicas=2'],
    /2 replicas need a Redis that they share; set config\.store/,
  ],
  [
    'two Redis',
    'meshrelay',
    ['redis.enabled=true', 'config.store.type=memory'],
    /redis\.enabled and config\.store are both set/,
  ],
  [
    'permissions for a mesh without singleCluster',
    'meshrelay',
    ['rights.meshNamespaces={istio-system}'],
    /expected only with config\.singleCluster/,
  ],
  [
    'an agent without a cluster',
    'meshrelay-agent',
    ['config.relay.serverAddress=a:1'],
    /at '\/config\/relay': missing property 'cluster'/,
  ],
  [
    'a cluster name that is not a DNS label',
    'meshrelay-agent',
    ['config.relay.cluster=us.east', 'config.relay.serverAddress=a:1'],
    /at '\/config\/relay\/cluster': 'us\.east' does not match pattern/,
  ],
  [
    'more replicas at least than at most',
    'meshrelay-agent',
    [
      'config.relay.cluster=west',
      'config.relay.serverAddress=a:1',
      'autoscaling.enabled=true',
      'autoscaling.minReplicas=9',
    ],
    /minReplicas is 9 and maxReplicas 5; expected minReplicas to be at most maxReplicas/,
  ],
  [
    'a number of replicas together with an autoscaler',
    'meshrelay-agent',
    ['config.relay.cluster=west', 'config.relay.serverAddress=a:1', 'autoscaling.enabled=true', 'replicas=3'],
    /replicas and autoscaling\.enabled are both set/,
  ],
  [
    'an address without a port',
    'meshrelay-agent',
    ['config.relay.cluster=west', 'config.relay.serverAddress=a'],
    /serverAddress': 'a' does not match pattern/,
  ],
  [
    'an object that no plugin patches',
    'meshrelay-agent',
    [
      'config.relay.cluster=west',
      'config.relay.serverAddress=a:1',
      'rights.patches[0].name=x',
      'rights.patches[0].namespace=y',
    ],
    /no plugin patches an object named x; those that are patched: istio, istio-\*, osm-mesh-config/,
  ],
];
for (const [what, chart, sets, message] of refused) {
  test(`${what} is refused before anything is installed`, async () => {
    const { code, stderr } = await template(chart, {}, ...sets);
    assert.is(code, 1);
    assert.match(stderr, message);
  });
}

function template(chart: Case['chart'], values: object, ...sets: readonly string[]): Promise<Result> {
  const flags = sets.flatMap((set) => ['--set', set]);
  return helm('template', chart, chartFolder(chart), '-n', NAMESPACE, '-f', valuesFile(values), ...flags);
}

/** Helm in the root of the checkout, with the contexts of the documentation. */
async function documented(...args: readonly string[]): Promise<Result> {
  const config = parse(readFileSync(kubeconfig, 'utf8'));
  const [{ context }] = config.contexts;
  const path = join(temporary, 'documented');
  const contexts = ['mgmt', 'cluster-1', 'west'].map((name) => ({ name, context }));
  writeFileSync(path, stringify({ ...config, contexts }), { mode: 0o600 });
  const env = { ...process.env, ...helmFolders, KUBECONFIG: path };
  return runProgram(await helmProgram(), args, { cwd: ROOT, env });
}

let files = 0;
function valuesFile(values: object): string {
  const path = join(temporary, `values-${files++}.yaml`);
  writeFileSync(path, stringify(values));
  return path;
}

async function succeeded(result: Promise<Result>): Promise<string> {
  const { code, stdout, stderr } = await result;
  assert.is(code, 0, stderr);
  return stdout;
}

/** Random values differ in each render. */
function withoutChanging(rendered: string): string {
  return rendered.replace(/^ {2}password: .*$/m, '  password: (random)').replaceAll(RELEASE, 'VERSION');
}

function chartVersion(): string {
  const { version } = parse(readFileSync(join(chartFolder('meshrelay'), 'Chart.yaml'), 'utf8'));
  return version;
}

function objectsOf(rendered: string): readonly KubeObject[] {
  return parseAllDocuments(rendered)
    .map((document) => document.toJS() as KubeObject | null)
    .filter((object) => object !== null);
}

function keyOf({ kind, metadata: { namespace = '', name } }: KubeObject): string {
  return `${kind} ${namespace}/${name}`;
}

/** Without labels, and with each list of names sorted: its order has no meaning. */
function comparable(object: KubeObject | undefined): unknown {
  if (object === undefined) return undefined;
  const { labels: _, ...metadata } = object.metadata;
  const sorted = JSON.stringify({ ...object, metadata }, (_key, value: unknown) => {
    if (Array.isArray(value) && value.every((item) => typeof item === 'string')) return value.toSorted();
    if (typeof value !== 'string') return value;
    return value.replaceAll(/\["[^\]]*\]/g, (list) => JSON.stringify(JSON.parse(list).sort()));
  });
  return JSON.parse(sorted);
}

/** Helm's own record of a release. */
function isNoRelease(key: string): boolean {
  return !key.includes('sh.helm.release');
}

/** All objects of the kinds that charts write, by path and name. */
async function present(): Promise<ReadonlyMap<string, KubeObject>> {
  const lists = await Promise.all(
    LISTED.map(async (path) => {
      const { body } = await admin.get(path);
      return (body.items as readonly KubeObject[]).map(
        (item) => [`${path} ${item.metadata.namespace ?? ''}/${item.metadata.name}`, item] as const,
      );
    }),
  );
  return new Map(lists.flat().sort(([a], [b]) => (a < b ? -1 : 1)));
}

test.run();
