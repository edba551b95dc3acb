/** An agent with exactly the rights that `meshctl cluster rights` prints, at a real API server that judges them: it does all its work. */
import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { apiVersionOf, type KubeObject } from '@meshrelay/api';
import { crds } from '@meshrelay/api/crds';
import { loadConfig } from '@meshrelay/host';
import { connect, isKubeError, Secrets } from '@meshrelay/kube';
import { openCrd } from '@meshrelay/kube-sim';
import { ROOT_SECRET, TOKEN_SECRET } from '@meshrelay/pki';
import envoy from '@meshrelay/plugin-envoy';
import istio from '@meshrelay/plugin-istio';
import {
  CONFIG_MAP,
  loadPlugins,
  memberRights,
  OWNER_LABEL,
  type ResourceKind,
  ROOTS_CONFIG_MAP,
} from '@meshrelay/relay-core';
import { createLogger } from '@meshrelay/telemetry';
import { assert, eventually, realApiServer, temporaryFolder, test } from '@meshrelay/testing';
import { targetOf } from '@meshrelay/testing/api-server';
import { AGENT_FIELDS, agentConfig, startAgent } from '../src/mod.ts';
import { LogBook, readiness } from './harness/agents.ts';
import { issuedCertificate } from './harness/cluster.ts';
import { agentFields, flags } from './harness/fields.ts';
import { TestAuthority, TestRelay } from './harness/relay.ts';

const target = targetOf(realApiServer());
const admin = connect({ text: realApiServer() });
test.after(async () => await admin[Symbol.asyncDispose]());
const namespace = `rights-${randomUUID().slice(0, 8)}`;
const NAME = namespace;
const RBAC = 'rbac.authorization.k8s.io';
const BUSY = { deadline: 120_000 };

/** Creates it, where it is not there already. */
async function ensure(kind: string, plural: string, object: object, group = '', namespaced = true): Promise<void> {
  const version = 'v1';
  const of: ResourceKind = { group, version, kind, plural, namespaced };
  const apiVersion = apiVersionOf(of);
  try {
    await admin.objects(of).create({ apiVersion, kind, ...object } as KubeObject);
  } catch (error) {
    if (!isKubeError(error, 'RELAY_E_KUBE_EXISTS')) throw error;
  }
}

/** A ServiceAccount with the rights, and a token of it. */
async function serviceAccount(): Promise<string> {
  const { cluster, namespace: own } = memberRights({ plugins: [istio, envoy], identity: true });
  const metadata = { name: NAME, namespace };
  const bind = (kind: string) => ({
    roleRef: { apiGroup: RBAC, kind, name: NAME },
    subjects: [{ kind: 'ServiceAccount', name: NAME, namespace }],
  });
  await ensure('ServiceAccount', 'serviceaccounts', { metadata });
  await ensure('ClusterRole', 'clusterroles', { metadata: { name: NAME }, rules: cluster }, RBAC, false);
  const all = { metadata: { name: NAME }, ...bind('ClusterRole') };
  await ensure('ClusterRoleBinding', 'clusterrolebindings', all, RBAC, false);
  await ensure('Role', 'roles', { metadata, rules: own }, RBAC);
  await ensure('RoleBinding', 'rolebindings', { metadata, ...bind('Role') }, RBAC);
  const { status } = await admin.request<{ status: { token: string } }>({
    what: 'make a token',
    method: 'POST',
    path: `/api/v1/namespaces/${namespace}/serviceaccounts/${NAME}/token`,
    body: { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: { expirationSeconds: 3600 } },
  });
  return status.token;
}

/** What the server makes of a consent to trust another trust domain. */
function aliasPatch(domain: string): KubeObject {
  return {
    apiVersion: 'agent.meshrelay.dev/v1alpha1',
    kind: 'ObjectPatch',
    metadata: { name: 'configmap.istio', namespace, labels: { [OWNER_LABEL]: 'meshrelay' } },
    spec: {
      object: { apiVersion: 'v1', kind: 'ConfigMap', namespace, name: 'istio' },
      fieldPath: 'data.mesh:yaml/trustDomainAliases',
      include: [domain],
    },
  } as KubeObject;
}

test('it discovers, applies, patches, deletes and keeps its ledger, and nothing is forbidden to it', async () => {
  for (const crd of [...(crds as unknown as object[]), ...istio.writes.map(openCrd)])
    await ensure('CustomResourceDefinition', 'customresourcedefinitions', crd, 'apiextensions.k8s.io', false);
  await ensure('Namespace', 'namespaces', { metadata: { name: namespace } }, '', false);
  await ensure('ServiceAccount', 'serviceaccounts', { metadata: { name: 'desk', namespace } });
  await ensure('Pod', 'pods', {
    metadata: { name: 'desk', namespace, labels: { 'mesh.meshrelay.dev/envoy': 'sidecar' } },
    spec: { serviceAccountName: 'desk', containers: [{ name: 'desk', image: 'desk:1' }] },
  });
  using folder = temporaryFolder();
  const kubeconfig = join(folder.path, 'kubeconfig');
  writeFileSync(kubeconfig, realApiServer().replaceAll(target.token, await serviceAccount()));
  const authority = await TestAuthority.create();
  await using relay = await TestRelay.start(authority);
  const secrets = new Secrets(admin, namespace);
  await secrets.create(ROOT_SECRET, { 'ca.crt': authority.rootsPem });
  await secrets.create(TOKEN_SECRET, { token: relay.token().reveal() });

  const argv = flags({ namespace, ...agentFields(kubeconfig, relay) });
  const log = new LogBook();
  const plugins = loadPlugins([
    { module: 'plugin-istio', plugin: istio },
    { module: 'plugin-envoy', plugin: envoy },
  ]);
  await using agent = await startAgent(loadConfig(agentConfig, { argv, env: {}, fields: AGENT_FIELDS }), {
    logger: createLogger({ name: 'agent', level: 'debug', destination: log }),
    plugins,
  });
  const seen = { ...BUSY, seen: () => log.lines.slice(-8) };
  await eventually('ready', async () => (await readiness(agent)).ready, seen);
  const rule = {
    apiVersion: 'networking.istio.io/v1',
    kind: 'DestinationRule',
    metadata: { name: 'ours', namespace, labels: { [OWNER_LABEL]: 'meshrelay' } },
    spec: { host: 'reviews.example' },
  };
  const kind = istio.writes.find((one) => one.kind === 'DestinationRule');
  assert.ok(kind);
  const there = () => admin.objects(kind).read({ namespace, name: 'ours' });
  relay.commit({ upserts: [rule] });
  await eventually('it is applied', async () => (await there()) !== undefined, seen);
  relay.commit({ deletes: [rule] });
  await eventually('it is deleted', async () => (await there()) === undefined, seen);
  const certificate = issuedCertificate();
  relay.commit({ upserts: [{ ...certificate, metadata: { ...certificate.metadata, namespace } }] });
  await eventually(
    'a CA is issued',
    async () => (await secrets.read('cacerts'))?.data['ca-key.pem'] !== undefined,
    seen,
  );
  const theirs = { namespace, name: 'istio' };
  const meshConfig = { metadata: theirs, data: { mesh: 'trustDomain: one.example\n' } };
  await ensure('ConfigMap', 'configmaps', meshConfig);
  const text = async () => ((await admin.objects(CONFIG_MAP).read(theirs)) as { data?: { mesh?: string } }).data?.mesh;
  const patch = aliasPatch('two.example');
  relay.commit({ upserts: [patch] });
  const patched = `${meshConfig.data.mesh}trustDomainAliases: ["two.example"]\n`;
  await eventually("a field of the user's object is set", async () => (await text()) === patched, seen);
  relay.commit({ deletes: [patch] });
  await eventually('and put back', async () => (await text()) === meshConfig.data.mesh, seen);
  const roots = { namespace, name: ROOTS_CONFIG_MAP };
  await eventually(
    'Envoys are handed the roots of the agent',
    async () => (await admin.objects(CONFIG_MAP).read(roots)) !== undefined,
    seen,
  );
  await eventually('the inputs are noted', () => relay.applied.size > 0, seen);
  assert.is(await secrets.read(TOKEN_SECRET), undefined, 'the token was used and removed');
  const forbidden = log.lines.filter((line) => /forbidden|RELAY_E_KUBE_DENIED/i.test(line));
  assert.equal(forbidden, []);
});

test.run();
