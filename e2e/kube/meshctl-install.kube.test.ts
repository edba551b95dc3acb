/** meshctl installs, upgrades and uninstalls by the real Helm on a real API server. */
import { writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import process from 'node:process';
import { builtProgram } from '@meshrelay/programs';
import { assert, eventually, test } from '@meshrelay/testing';
import { parse, stringify } from 'yaml';
import { helmProgram } from '../src/helm.ts';
import { type Result, runProgram } from '../src/run-program.ts';
import { startSuiteCluster } from '../src/suite-cluster.ts';

interface Listed {
  /** Null for an empty list without specs. */
  readonly items: readonly { readonly metadata: { readonly name: string; readonly namespace?: string } }[] | null;
}

/** What each test compares: the kinds that the charts and the programs write. */
const LISTED = [
  '/api/v1/configmaps',
  '/api/v1/secrets',
  '/api/v1/serviceaccounts',
  '/api/v1/services',
  '/apis/apps/v1/deployments',
  '/apis/coordination.k8s.io/v1/leases',
  '/apis/rbac.authorization.k8s.io/v1/roles',
  '/apis/rbac.authorization.k8s.io/v1/rolebindings',
  '/apis/rbac.authorization.k8s.io/v1/clusterroles',
  '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings',
  '/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies',
  '/apis/apiextensions.k8s.io/v1/customresourcedefinitions',
];
/** Lists without specs: CRDs are large. */
const NAMES_ONLY = 'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io';

const { admin, folder, kubeconfig: adminYaml, kubeconfigFile: adminConfig } = await startSuiteCluster();
const path = `${dirname(await helmProgram())}${delimiter}${process.env['PATH']}`;
const program = builtProgram('meshctl');
await admin.post('/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'meshrelay' } });

function meshctl(words: readonly string[], kubeconfig = adminConfig, option = '--kubeconfig'): Promise<Result> {
  const env = { ...process.env, PATH: path, HELM_CACHE_HOME: folder, HELM_CONFIG_HOME: folder };
  return runProgram(process.execPath, [program, ...words, option, kubeconfig], { cwd: folder, env });
}

async function present(): Promise<readonly string[]> {
  const lists = await Promise.all(
    LISTED.map(async (url) =>
      (((await admin.get(url, { accept: NAMES_ONLY })).body as Listed).items ?? []).map(
        ({ metadata }) => `${url} ${metadata.namespace ?? ''}/${metadata.name}`,
      ),
    ),
  );
  return lists.flat().sort();
}

async function succeeded(...words: string[]): Promise<string> {
  const { code, stdout, stderr } = await meshctl(words);
  assert.equal([code, stderr], [0, ''], stdout);
  return stdout;
}

async function refused(words: readonly string[], message: RegExp, kubeconfig?: string): Promise<void> {
  const before = await present();
  const { code, stdout, stderr } = await meshctl(words, kubeconfig);
  assert.is(code, 1, stdout);
  assert.match(stderr, message);
  assert.equal(await present(), before, 'nothing is left behind');
}

/** A kubeconfig of an account without permissions. */
async function limited(): Promise<string> {
  const accounts = '/api/v1/namespaces/default/serviceaccounts';
  await admin.post(accounts, { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'limited' } });
  const request = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: {} };
  const { body } = await admin.post(`${accounts}/limited/token`, request);
  const config = parse(adminYaml);
  config.users[0].user = { token: body.status.token };
  const file = join(folder, 'limited');
  writeFileSync(file, stringify(config), { mode: 0o600 });
  return file;
}

test('a user without permissions changes nothing, and learns which are missing', async () => {
  const kubeconfig = await limited();
  await refused(['install'], /not permitted: get, create, patch of clusterroles.rbac.authorization.k8s.io/, kubeconfig);
});

test('check --pre finds what an installation would', async () => {
  const before = await present();
  for (const component of ['server', 'agent']) {
    const { code, stdout, stderr } = await meshctl(['check', '--pre', component], adminConfig, '--mgmt-kubeconfig');
    assert.equal([code, stderr], [0, ''], stdout);
    assert.match(stdout, /^✓ Helm v\S+ is on the PATH\n✓ the API server answers.*\n✓ you may create the objects/);
  }
  const { code, stdout } = await meshctl(['check', '--pre', '-o', 'json'], await limited(), '--mgmt-kubeconfig');
  assert.is(code, 2);
  const missing = JSON.parse(stdout).find(({ name }: { name: string }) => name.startsWith('you may')).problems;
  assert.ok(missing.includes('not permitted: get, create, patch of deployments.apps in namespace meshrelay'), stdout);
  assert.equal(await present(), before);
});

test('an installation that the API server rejects halfway leaves nothing', async () => {
  await refused(
    ['install', '-n', 'half', '--set', 'service.type=NodePort,service.nodePort=80'],
    /helm install failed: .*nodePort/s,
  );
});

test('CRDs that Helm does not manage are not overwritten', async () => {
  const url = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
  const name = 'settings.admin.meshrelay.dev';
  await admin.post(url, {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name },
    spec: {
      group: 'admin.meshrelay.dev',
      scope: 'Namespaced',
      names: { kind: 'Settings', plural: 'settings', listKind: 'SettingsList', singular: 'settings' },
      versions: [{ name: 'v1alpha0', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } }],
    },
  });
  await refused(['install'], /settings\.admin\.meshrelay\.dev stores objects as v1alpha0, which .* does not know/);
  await admin.delete(`${url}/${name}`);
  await eventually('the CRD is gone', async () => (await admin.get(`${url}/${name}`)).status === 404);
});

test('the server is installed, upgraded with its values, and removed without a trace', async () => {
  const before = await present();
  const installed = await succeeded('install', '-n', 'mesh', '--set', 'podLabels.team=one');
  assert.match(installed, /✓ the API server answers, with Kubernetes v1\.34/);
  assert.match(installed, /✓ namespace mesh created\n.*✓ chart meshrelay \S+ installed\n/);
  await refused(['install', '-n', 'mesh'], /release mesh\/meshrelay exists: meshrelay-\S+, deployed/);
  await refused(['install', '-n', 'default'], /the server is installed in namespace mesh/);
  await refused(['upgrade'], /namespace meshrelay of context real has no release meshrelay/);
  const upgrade = ['upgrade', '-n', 'mesh', '--set', 'podAnnotations.two=second', '--wait', '--timeout', '1s'];
  const { code, stdout, stderr } = await meshctl(upgrade);
  assert.is(code, 1, 'no kubelet starts a pod');
  assert.match(stdout, /✓ chart meshrelay upgraded from/);
  const { body } = await admin.get('/apis/apps/v1/namespaces/mesh/deployments/meshrelay-mgmt-server');
  assert.is(body.spec.template.metadata.labels.team, 'one', 'the value of the installation stays');
  assert.is(body.spec.template.metadata.annotations.two, 'second');
  assert.match(stderr, /waiting until Deployment mesh\/meshrelay-mgmt-server is available: 0 of 1 pods are available/);
  // As the server does at its first start.
  const metadata = { name: 'relay-root-tls-secret', namespace: 'mesh' };
  await admin.post('/api/v1/namespaces/mesh/secrets', { apiVersion: 'v1', kind: 'Secret', metadata });
  await refused(['uninstall', '-n', 'mesh'], /confirm to uninstall the server with --yes/);
  const removed = await succeeded('uninstall', '-n', 'mesh', '--purge', '--yes');
  assert.match(removed, /✓ namespace mesh deleted\nnothing of the server is left in context real /);
  assert.equal(await present(), before);
  const namespace = await admin.get('/api/v1/namespaces/mesh');
  assert.ok(namespace.status === 404 || namespace.body.metadata.deletionTimestamp !== undefined);
});

test('registering a cluster installs its agent, and continues where it stopped', async () => {
  await refused(['install', 'agent'], /at '\/config': missing property 'relay'/);
  const before = await present();
  await succeeded('install');
  const register = ['cluster', 'register', 'east', '--mgmt-kubeconfig', adminConfig, '--timeout', '0s'];
  await refused(register, /the cluster to register is the management cluster itself, https:.*--management-cluster/);
  register.push('--management-cluster');
  await refused(register, /the management cluster has no Secret meshrelay\/relay-root-tls-secret/);
  const secret = { apiVersion: 'v1', kind: 'Secret', data: { 'ca.crt': btoa('root') } };
  const secrets = '/api/v1/namespaces/meshrelay/secrets';
  await admin.post(secrets, { ...secret, metadata: { name: 'relay-root-tls-secret' } });
  await refused([...register, '--set', 'replicas=many'], /at '\/replicas': got string, want null or integer/);
  const steps = await succeeded(...register);
  assert.match(
    steps,
    /root CA copied.*token copied.*chart meshrelay-agent \S+ installed; the agent dials meshrelay-mgmt-server\.meshrelay\.svc:9900.*KubernetesCluster meshrelay\/east created/s,
  );
  assert.match(await succeeded(...register), /the agent is installed already.*east already exists/s);
  const west = register.map((word) => (word === 'east' ? 'west' : word));
  await refused(west, /has the name east, by relay\.cluster in ConfigMap meshrelay\/meshrelay-agent, expected west/);
  await refused(['uninstall', '--purge', '--yes'], /release meshrelay\/meshrelay-agent in this cluster needs the CRDs/);
  await succeeded('uninstall', 'agent', '--yes');
  assert.match(
    await succeeded('uninstall', '--yes'),
    /left in context real .*\n {2}CRDs with all policies and registrations, Secrets with keys, and Leases:\n {4}meshctl uninstall server .*--purge\n$/,
  );
  const left = (await present()).filter((object) => !before.includes(object));
  const stays = /customresourcedefinitions|secrets meshrelay\/relay-/;
  assert.ok(left.length > 10 && left.every((object) => stays.test(object)), left.join(', '));
  assert.match(await succeeded('uninstall', '--purge', '--yes'), /deleted \d+ CRDs/);
  assert.equal(await present(), before);
});

test.run();
