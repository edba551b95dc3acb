/** `meshctl translate` and `discover`: their output and exit codes, independent of the order of files. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { assert, temporaryFolder, test } from '@meshrelay/testing';
import { parse } from 'yaml';
import { CLUSTER, policy, writeFiles } from './support/files.ts';
import { meshctl, meshctlHere } from './support/run.ts';

interface Status {
  readonly policies: ReadonlyArray<{
    readonly name: string;
    readonly state: string;
    readonly targets: readonly unknown[];
  }>;
  readonly outputs: ReadonlyArray<{
    readonly kind: string;
    readonly name: string;
    readonly sourcePolicies: ReadonlyArray<{ readonly name: string }>;
  }>;
}

const statusIn = (folder: string) => JSON.parse(readFileSync(join(folder, 'status.json'), 'utf8')) as Status;
const filesIn = (folder: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((one) => one.isFile())
    .map((one) => join(one.parentPath, one.name))
    .sort();

test('writes a file for each object, and status.json', async () => {
  using folder = temporaryFolder();
  writeFiles(folder.path, { 'cluster.yaml': CLUSTER, 'config.yaml': policy('slow', '{requestTimeout: 1s}') });
  const result = await meshctlHere(
    ['translate', '--cluster', 'cluster-1=cluster.yaml', '--config', 'config.yaml', '--out', 'result'],
    folder.path,
  );
  assert.is(result.code, 0, result.stderr);
  assert.is(result.stdout, '');
  const file = join(
    folder.path,
    'result',
    'cluster-1',
    'virtualservice.networking.istio.io.bookinfo.meshrelay-reviews.yaml',
  );
  assert.equal(filesIn(join(folder.path, 'result')), [file, join(folder.path, 'result', 'status.json')]);
  assert.is(parse(readFileSync(file, 'utf8')).spec.http[0].timeout, '1s');
  const { policies, outputs } = statusIn(join(folder.path, 'result'));
  assert.equal(
    policies.map(({ name, state }) => [name, state]),
    [['slow', 'ACCEPTED']],
  );
  assert.equal(
    outputs.map(({ kind, sourcePolicies }) => [kind, sourcePolicies.map(({ name }) => name)]),
    [['VirtualService', ['slow']]],
  );
});

test('prints one document without --out, as JSON if requested', async () => {
  using folder = temporaryFolder();
  writeFiles(folder.path, { 'cluster.yaml': CLUSTER, 'config.yaml': policy('slow', '{requestTimeout: 1s}') });
  const args = ['translate', '--cluster', 'cluster-1=cluster.yaml', '--config', 'config.yaml'];
  const [yaml, json] = [await meshctlHere(args, folder.path), await meshctlHere([...args, '-o', 'json'], folder.path)];
  assert.equal(parse(yaml.stdout), JSON.parse(json.stdout));
  assert.is(JSON.parse(json.stdout).items[0].cluster, 'cluster-1');
});

test('exits 2 on a value that breaks a rule, and writes all the rest', async () => {
  using folder = temporaryFolder();
  writeFiles(folder.path, {
    'cluster.yaml': CLUSTER,
    'config.yaml': `${policy('fine', '{requestTimeout: 1s}')}---\n${policy('wrong', '{retries: {attempts: -1}}')}`,
  });
  const result = await meshctlHere(
    ['translate', '--cluster', 'cluster-1=cluster.yaml', '--config', 'config.yaml', '--out', 'result', '-o', 'json'],
    folder.path,
  );
  assert.is(result.code, 2, result.stderr);
  assert.is(
    result.stderr,
    'TrafficPolicy meshrelay/wrong is INVALID: spec.policy.retries.attempts must be at least 0, got -1\n',
  );
  assert.equal(
    statusIn(join(folder.path, 'result')).policies.map(({ name, state }) => [name, state]),
    [
      ['fine', 'ACCEPTED'],
      ['wrong', 'INVALID'],
    ],
  );
  assert.ok(
    existsSync(
      join(folder.path, 'result/cluster-1/virtualservice.networking.istio.io.bookinfo.meshrelay-reviews.json'),
    ),
  );
});

test('reports accepted policies with warnings', async () => {
  using folder = temporaryFolder();
  const nobodys = policy('lost', '{requestTimeout: 1s}').replace(
    'spec: {',
    'spec: { destinationSelector: [{ kubeServiceMatcher: { labels: { app: missing } } }],',
  );
  writeFiles(folder.path, { 'cluster.yaml': CLUSTER, 'config.yaml': nobodys });
  const result = await meshctlHere(
    ['translate', '--cluster', 'cluster-1=cluster.yaml', '--config', 'config.yaml', '--out', 'result'],
    folder.path,
  );
  assert.is(result.code, 0);
  assert.is(
    result.stderr,
    'TrafficPolicy meshrelay/lost is ACCEPTED: no known destination is selected; the policy takes effect when one matches\n',
  );
});

test('reports files without any used object, and clusters in which nothing is discovered', async () => {
  using folder = temporaryFolder();
  const foreign = policy('a', '{}').replace('networking.meshrelay.dev', 'networking.example.com');
  writeFiles(folder.path, { 'cluster.yaml': CLUSTER, 'foreign.yaml': foreign, 'empty.yaml': '# nothing\n' });
  const config = ['--config', 'foreign.yaml', '--config', 'empty.yaml'];
  const translated = await meshctlHere(['translate', '--cluster', 'cluster-1=cluster.yaml', ...config], folder.path);
  assert.is(translated.code, 0);
  assert.is(
    translated.stderr,
    ['foreign.yaml', 'empty.yaml'].map((path) => `${path}: skipped: it has no Meshrelay object\n`).join(''),
  );
  const discovered = await meshctlHere(['discover', '--cluster', 'cluster-1=foreign.yaml'], folder.path);
  assert.is(discovered.code, 0);
  assert.match(discovered.stderr, 'nothing was discovered');
});

test('ignores unused kinds, whatever they contain, and uses the default namespace if none is given', async () => {
  using folder = temporaryFolder();
  const other =
    'apiVersion: kustomize.config.k8s.io/v1\nkind: Kustomization\nresources: []\n---\napiVersion: v1\nkind: Secret\nmetadata: {name: a}\n---\napiVersion: v1\nkind: Secret\nmetadata: {name: a}\n';
  writeFiles(folder.path, {
    'c/a.yaml': CLUSTER.replaceAll(', namespace: bookinfo', ''),
    'c/deeper/b.yaml': other,
    'c/notes.txt': 'not read',
  });
  const result = await meshctlHere(['discover', '--cluster', 'cluster-1=c', '-o', 'json'], folder.path);
  assert.is(result.code, 0, result.stderr);
  const { kind, items } = JSON.parse(result.stdout) as { kind: string; items: Array<{ metadata: { name: string } }> };
  assert.is(kind, 'List');
  assert.equal(
    items.map(({ metadata }) => metadata.name),
    ['reviews-default-cluster-1', 'istiod-istio-system-cluster-1', 'reviews-v1-default-cluster-1-pod'],
  );
});

test('reads merged fields as kubectl does', async () => {
  using folder = temporaryFolder();
  const twoServices = `apiVersion: networking.meshrelay.dev/v1alpha1
kind: TrafficPolicy
metadata: { name: both, namespace: meshrelay }
spec:
  destinationSelector:
    - kubeServiceRefs:
        services:
          - &first { name: reviews, namespace: bookinfo, clusterName: cluster-1 }
          - { <<: *first, clusterName: cluster-2 }
  policy: { requestTimeout: 1s }
`;
  writeFiles(folder.path, { 'cluster.yaml': CLUSTER, 'config.yaml': twoServices });
  const result = await meshctlHere(
    [
      ...['translate', '--cluster', 'cluster-1=cluster.yaml', '--cluster', 'cluster-2=cluster.yaml'],
      ...['--config', 'config.yaml', '--out', 'result'],
    ],
    folder.path,
  );
  assert.is(result.code, 0, result.stderr);
  assert.is(statusIn(join(folder.path, 'result')).policies[0]?.targets.length, 2);
});

test('shows a table by default', async () => {
  using folder = temporaryFolder();
  writeFiles(folder.path, { 'cluster.yaml': CLUSTER });
  const { stdout } = await meshctlHere(['discover', '--cluster', 'cluster-1=cluster.yaml'], folder.path);
  assert.equal(
    stdout
      .split('\n')
      .slice(0, 2)
      .map((line) => line.split(/ {2,}/)),
    [
      ['KIND', 'NAME', 'CLUSTER', 'MESH'],
      ['Destination', 'reviews-bookinfo-cluster-1', 'cluster-1', 'istiod-istio-system-cluster-1'],
    ],
  );
});

test('discover lists names, more columns, and one namespace', async () => {
  using folder = temporaryFolder();
  writeFiles(folder.path, { 'cluster.yaml': CLUSTER });
  const run = (...args: readonly string[]) =>
    meshctlHere(['discover', '--cluster', 'cluster-1=cluster.yaml', ...args], folder.path);
  const wide = await run('-o', 'wide');
  assert.match(wide.stdout, /^KIND .* NAMESPACE +FOUND AS\n/);
  assert.match(wide.stdout, /\nDestination +reviews-bookinfo-cluster-1 .* bookinfo +Service\/reviews\n/);
  const all = (await run('-A', '-o', 'name')).stdout.split('\n');
  assert.ok(all.includes('destination.discovery.meshrelay.dev/reviews-bookinfo-cluster-1'));
  assert.ok(all.includes('mesh.discovery.meshrelay.dev/istiod-istio-system-cluster-1'));
  assert.equal(
    (await run('-n', 'istio-system', '-o', 'name')).stdout.split('\n').filter((line) => !line.startsWith('mesh.')),
    all
      .filter((line) => line === '' || /-istio-system-cluster-1$/.test(line))
      .filter((line) => !line.startsWith('mesh.')),
  );
  assert.match((await run('-n', 'none')).stderr, 'nothing was discovered in namespace none');
  assert.match((await run('-n', 'none', '-A')).stderr, 'cannot be used with option');
});

test('writes the same bytes whatever the order of files and documents', async () => {
  using folder = temporaryFolder();
  const documents = CLUSTER.split('---\n');
  const policies = [
    policy('a', '{requestTimeout: 1s}'),
    policy('b', '{requestTimeout: 2s}'),
    policy('c', '{retries: {attempts: 1}}'),
  ];
  writeFiles(folder.path, { 'one/a.yaml': documents.join('---\n'), 'one-config/a.yaml': policies.join('---\n') });
  for (const [index, text] of documents.toReversed().entries())
    writeFiles(folder.path, { [`two/${index}.yaml`]: text });
  for (const [index, text] of policies.toReversed().entries())
    writeFiles(folder.path, { [`two-config/${index}.yaml`]: text });
  for (const name of ['one', 'two']) {
    const result = await meshctlHere(
      ['translate', '--cluster', `cluster-1=${name}`, '--config', `${name}-config`, '--out', `result-${name}`],
      folder.path,
    );
    assert.is(result.code, 2, result.stderr);
  }
  const contents = (name: string) =>
    filesIn(join(folder.path, `result-${name}`)).map((file) => [
      file.replace(`result-${name}`, ''),
      readFileSync(file, 'utf8'),
    ]);
  assert.equal(contents('two'), contents('one'));
});

test('keeps the decisions of --ledger: acceptance order, and virtual IPs', async () => {
  using folder = temporaryFolder();
  const gateway = `---
apiVersion: v1
kind: Service
metadata: { name: gw, namespace: istio-system, labels: { istio: ingressgateway } }
spec: { type: LoadBalancer, selector: { app: gw }, ports: [{ name: tls, port: 15443 }] }
status: { loadBalancer: { ingress: [{ ip: 198.51.100.1 }] } }
`;
  writeFiles(folder.path, {
    'one.yaml': CLUSTER + gateway,
    'two.yaml': CLUSTER,
    'config/policies.yaml': `${policy('a', '{requestTimeout: 1s}')}---\n${policy('b', '{requestTimeout: 2s}')}`,
    'config/mesh.yaml': `apiVersion: networking.meshrelay.dev/v1alpha1
kind: VirtualMesh
metadata: { name: all, namespace: meshrelay }
spec:
  meshes: [{ name: istiod-istio-system-one, namespace: meshrelay }, { name: istiod-istio-system-two, namespace: meshrelay }]
  federation: { selectors: [{ destinationSelectors: [{ kubeServiceRefs: { services: [{ name: reviews, namespace: bookinfo, clusterName: one }] } }] }] }
`,
    'ledger.yaml': `apiVersion: admin.meshrelay.dev/v1alpha1
kind: Ledger
metadata: { name: ledger-1, namespace: meshrelay }
spec:
  policies: [{ kind: TrafficPolicy, cluster: "", namespace: meshrelay, name: b, sequence: 7 }]
  vips: [{ host: reviews.bookinfo.svc.one.global, address: 240.0.0.9 }]
`,
  });
  const result = await meshctlHere(
    [
      'translate',
      '--cluster',
      'one=one.yaml',
      '--cluster',
      'two=two.yaml',
      '--config',
      'config',
      '--ledger',
      'ledger.yaml',
      '--out',
      'result',
      '-o',
      'json',
    ],
    folder.path,
  );
  assert.is(result.code, 2, result.stderr);
  const states = statusIn(join(folder.path, 'result')).policies.map(({ name, state }) => [name, state]);
  assert.equal(states, [
    ['a', 'CONFLICT'],
    ['b', 'ACCEPTED'],
    ['all', 'ACCEPTED'],
  ]);
  const entry = JSON.parse(
    readFileSync(
      join(folder.path, 'result/two/serviceentry.networking.istio.io.istio-system.meshrelay-reviews.bookinfo.one.json'),
      'utf8',
    ),
  );
  assert.equal(entry.spec.addresses, ['240.0.0.9']);
});

test('loads a mesh plugin of a third party, which has its own copy of the core', async () => {
  using folder = temporaryFolder();
  const plain = CLUSTER.replaceAll('istiod', 'plain')
    .replaceAll('istio-system', 'plain')
    .replace('istio-proxy', 'plain-proxy')
    .replace('istio/pilot', 'plain')
    .replace('istio/proxyv2', 'plain-proxy')
    .replace('discovery', 'control');
  writeFiles(folder.path, {
    'cluster.yaml': plain,
    'config.yaml': policy('both', '{requestTimeout: 1s, retries: {attempts: 2}}'),
  });
  const plugin = fileURLToPath(new URL('fixtures/plain-mesh.ts', import.meta.url));
  // The program and not this process: the plugin imports the core from the sources, and the program contains another.
  const result = await meshctl(
    ['translate', '--cluster', 'c=cluster.yaml', '--config', 'config.yaml', '--plugin', plugin, '-o', 'json'],
    folder.path,
  );
  assert.is(result.code, 2, result.stderr);
  const { items, status } = JSON.parse(result.stdout) as {
    items: Array<{ object: { kind: string; spec: unknown } }>;
    status: Status;
  };
  assert.equal(
    items.map(({ object }) => [object.kind, object.spec]),
    [['PlainRoute', { timeout: 1000 }]],
  );
  assert.equal(
    status.policies.map(({ state }) => state),
    ['DEGRADED'],
  );
});

test('alone, prints help and exits 0', async () => {
  using folder = temporaryFolder();
  const { code, stdout, stderr } = await meshctlHere([], folder.path);
  assert.is(code, 0);
  assert.is(stderr, '');
  for (const command of ['discover', 'translate', 'version']) assert.match(stdout, new RegExp(`^ {2}${command}`, 'm'));
});

test('a wrong call is reported with the help to read', async () => {
  using folder = temporaryFolder();
  for (const [args, says] of [
    [['describe', 'mesh'], "missing required argument 'name'; see meshctl describe --help"],
    [['cluster', 'register'], "missing required argument 'name'; see meshctl cluster register --help"],
    [['translate', '--wrong'], "unknown option '--wrong'; see meshctl translate --help"],
  ] as const) {
    const { code, stderr } = await meshctlHere(args, folder.path);
    assert.equal([code, stderr], [1, `error: ${says}\n`]);
  }
});

test('prints its version', async () => {
  using folder = temporaryFolder();
  const { code, stdout } = await meshctl(['version'], folder.path);
  assert.is(code, 0);
  assert.match(stdout, /^meshctl \d+\.\d+\.\d+\ncommit .+\napi v1alpha1\nplugin contract 1\n/);
});

test.run();
