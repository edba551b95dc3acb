/**
 * An agent with exactly the permissions that `meshctl cluster rbac` prints, at a real API server that enforces them:
 * it does all its work.
 */
import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { KubeObject } from '@meshrelay/api';
import { crds } from '@meshrelay/api/crds';
import { loadConfig } from '@meshrelay/host';
import { connect, meshrelayKind, type ObjectKey, Secrets } from '@meshrelay/kube';
import { openCrd } from '@meshrelay/kube-sim';
import envoy from '@meshrelay/plugin-envoy';
import istio from '@meshrelay/plugin-istio';
import {
  accountObjects,
  CONFIG_MAP,
  loadPlugins,
  type MemberRbacOptions,
  memberRbacRules,
  OWNER_LABEL,
  ROOT_SECRET,
  ROOTS_CONFIG_MAP,
  TOKEN_SECRET,
} from '@meshrelay/relay-core';
import { createLogger } from '@meshrelay/telemetry';
import { issuedCertificate } from '@meshrelay/test-cluster';
import { assert, eventually, realApiServer, temporaryFolder, test } from '@meshrelay/testing';
import { applyAll, type Named, pathOf, tokenOf } from '@meshrelay/testing/accounts';
import { Client, targetOf } from '@meshrelay/testing/api-server';
import { CustomResources, type InstallableCrd } from '@meshrelay/testing/custom-resources';
import { AGENT_FIELDS, agentConfig, startAgent } from '../src/mod.ts';
import { LogBook, readiness } from './harness/agents.ts';
import { agentFields, flags } from './harness/fields.ts';
import { TestAuthority, TestRelay } from './harness/relay.ts';

const admin = connect({ text: realApiServer() });
test.after(async () => await admin[Symbol.asyncDispose]());
const client = new Client(targetOf(realApiServer()));
test.after(() => client[Symbol.dispose]());
const BUSY = { deadline: 120_000 };
const OUTPUT = { [OWNER_LABEL]: 'meshrelay' };

/** Namespaces of an agent, a control plane and an application. */
interface Places {
  readonly own: string;
  readonly mesh: string;
  readonly app: string;
}

/** New namespaces for the agent, its mesh and an application. */
function newPlaces(): Places {
  const random = randomUUID().slice(0, 8);
  return { own: `rights-${random}`, mesh: `mesh-${random}`, app: `app-${random}` };
}

/** Roles and bindings of an agent, named after its namespace, since other suites have accounts in the same cluster. */
function rightsOf({ own }: Places, given: Partial<MemberRbacOptions> = {}): readonly KubeObject[] {
  const rights = memberRbacRules({ plugins: [istio, envoy], agent: true, ...given });
  return accountObjects({ name: own, namespace: own }, rights);
}

/** Permissions for a single namespace. */
function rightsIn({ mesh, app }: Places): Partial<MemberRbacOptions> {
  return { meshNamespaces: [mesh], patched: [{ namespace: mesh, name: 'istio' }], envoyNamespaces: [app] };
}

const meshConfig = (namespace: string) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'istio', namespace },
  data: { mesh: 'trustDomain: one.example\n' },
});

/** Other suites may have installed Istio's own CRDs; permissive ones must not replace them. */
async function installKinds(): Promise<void> {
  const all = [...crds, ...istio.writes.map(openCrd)] as readonly (InstallableCrd & Named)[];
  const replies = await Promise.all(all.map((crd) => client.get(pathOf(crd))));
  await CustomResources.install(
    client,
    all.filter((_, index) => replies[index]?.status === 404),
  );
}

/** A cluster with a control plane and an Envoy, and an agent in it. */
async function withAgent(places: Places, rights: readonly KubeObject[]) {
  const { own, mesh, app } = places;
  await using stack = new AsyncDisposableStack();
  const pod = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'desk', namespace: app, labels: { 'mesh.meshrelay.dev/envoy': 'sidecar' } },
    spec: { serviceAccountName: 'desk', containers: [{ name: 'desk', image: 'desk:1' }] },
  };
  await installKinds();
  await applyAll(client, [
    ...[own, mesh, app].map((name) => ({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } })),
    { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'desk', namespace: app } },
    pod,
    meshConfig(mesh),
    ...rights,
  ]);
  for (const object of rights.filter(({ metadata }) => metadata.namespace === undefined))
    if (object.kind !== 'Namespace') stack.defer(async () => void (await client.delete(pathOf(object))));
  // Agents of other tests would treat them as their own.
  const left = [
    `${pathOf(pod)}?gracePeriodSeconds=0`,
    pathOf({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: ROOTS_CONFIG_MAP, namespace: app } }),
    pathOf(certificateIn(mesh)),
  ];
  stack.defer(async () => void (await Promise.all(left.map((path) => client.delete(path)))));
  const kubeconfig = join(stack.use(temporaryFolder()).path, 'kubeconfig');
  writeFileSync(kubeconfig, realApiServer().replaceAll(client.target.token, await tokenOf(client, own, own)));
  const authority = await TestAuthority.create();
  const relay = stack.use(await TestRelay.start(authority));
  const secrets = new Secrets(admin, own);
  await secrets.create(ROOT_SECRET, { 'ca.crt': authority.rootsPem });
  await secrets.create(TOKEN_SECRET, { token: relay.token().reveal() });
  const argv = flags({ namespace: own, ...agentFields(kubeconfig, relay) });
  const log = new LogBook();
  const agent = stack.use(
    await startAgent(loadConfig(agentConfig, { argv, env: {}, fields: AGENT_FIELDS }), {
      logger: createLogger({ name: 'agent', level: 'debug', destination: log }),
      plugins: loadPlugins([
        { module: 'plugin-istio', plugin: istio },
        { module: 'plugin-envoy', plugin: envoy },
      ]),
    }),
  );
  const seen = { ...BUSY, seen: () => log.lines.slice(-8) };
  await eventually('ready', async () => (await readiness(agent)).ready, seen);
  const owned = stack.move();
  return { relay, log, seen, secrets, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

const textOf = async (namespace: string) =>
  ((await admin.objects(CONFIG_MAP).read({ namespace, name: 'istio' })) as { data?: { mesh?: string } }).data?.mesh;
const isCertified = async (namespace: string) =>
  (await new Secrets(admin, namespace).read('cacerts'))?.data['ca-key.pem'] !== undefined;
const hasRoots = async (namespace: string) =>
  (await admin.objects(CONFIG_MAP).read({ namespace, name: ROOTS_CONFIG_MAP })) !== undefined;

function certificateIn(namespace: string): KubeObject {
  const certificate = issuedCertificate();
  return { ...certificate, metadata: { ...certificate.metadata, namespace } };
}

/** With an alias that a patch has added. */
const PATCHED = `${meshConfig('').data.mesh}trustDomainAliases: ["two.example"]\n`;

/** The server's patch for a consent to trust another trust domain. */
function aliasPatch({ mesh }: Places, domain: string): KubeObject {
  return {
    apiVersion: 'agent.meshrelay.dev/v1alpha1',
    kind: 'ObjectPatch',
    metadata: { name: 'configmap.istio', namespace: mesh, labels: OUTPUT },
    spec: {
      object: { apiVersion: 'v1', kind: 'ConfigMap', namespace: mesh, name: 'istio' },
      fieldPath: 'data.mesh:yaml/trustDomainAliases',
      include: [domain],
    },
  } as KubeObject;
}

test('it discovers, applies, patches, deletes and maintains its ledger, and no request is forbidden', async () => {
  const places = newPlaces();
  const { mesh, app } = places;
  await using cluster = await withAgent(places, rightsOf(places, rightsIn(places)));
  const { relay, log, seen, secrets } = cluster;
  const rule = {
    apiVersion: 'networking.istio.io/v1',
    kind: 'DestinationRule',
    metadata: { name: 'generated', namespace: app, labels: OUTPUT },
    spec: { host: 'reviews.example' },
  };
  const kind = istio.writes.find((one) => one.kind === 'DestinationRule');
  assert.ok(kind);
  const there = async () =>
    (await admin.objects(kind).read({ namespace: app, name: 'generated' }))?.spec as { host?: string } | undefined;
  relay.commit({ upserts: [rule] });
  await eventually('it is applied', async () => (await there()) !== undefined, seen);
  relay.commit({ upserts: [{ ...rule, spec: { host: 'ratings.example' } }] });
  await eventually('it is changed', async () => (await there())?.host === 'ratings.example', seen);
  relay.commit({ deletes: [rule] });
  await eventually('it is deleted', async () => (await there()) === undefined, seen);
  relay.commit({ upserts: [certificateIn(mesh)] });
  await eventually('a CA is issued', () => isCertified(mesh), seen);
  const patch = aliasPatch(places, 'two.example');
  relay.commit({ upserts: [patch] });
  await eventually("a field of the user's object is set", async () => (await textOf(mesh)) === PATCHED, seen);
  relay.commit({ deletes: [patch] });
  await eventually('and put back', async () => (await textOf(mesh)) === meshConfig(mesh).data.mesh, seen);
  await eventually('Envoys are handed the roots of the agent', () => hasRoots(app), seen);
  await eventually('the inputs are noted', () => relay.applied.size > 0, seen);
  assert.is(await secrets.read(TOKEN_SECRET), undefined, 'the token was used and removed');
  const forbidden = log.lines.filter((line) => /forbidden|RELAY_E_KUBE_DENIED/i.test(line));
  assert.equal(forbidden, []);
});

test('without permissions in a namespace it names the command to run, and continues once that was run', async () => {
  const places = newPlaces();
  const { own, mesh, app } = places;
  await using cluster = await withAgent(places, rightsOf(places));
  const { relay, log, seen } = cluster;
  const certificate = certificateIn(mesh);
  relay.commit({ upserts: [certificate, aliasPatch(places, 'two.example')] });
  const command = (flag: string) => `meshctl cluster rbac --namespace ${own} ${flag} | kubectl apply -f -`;
  await eventually(
    'the certificate says it',
    async () => {
      const { status } =
        (await admin.objects(meshrelayKind('IssuedCertificate')).read(certificate.metadata as ObjectKey)) ?? {};
      return JSON.stringify(status ?? {}).includes(command(`--mesh-namespace ${mesh}`));
    },
    seen,
  );
  await eventually(
    'the server gets a report of the patch',
    () => relay.refused.some(({ reason }) => reason.includes(command(`--patch ${mesh}/istio`))),
    seen,
  );
  await eventually(
    'the log says it of the roots for Envoys',
    () => log.lines.some((line) => line.includes(command(`--envoy-namespace ${app}`))),
    seen,
  );
  assert.not(await isCertified(mesh));
  assert.not(await hasRoots(app));
  assert.is(await textOf(mesh), meshConfig(mesh).data.mesh);

  await applyAll(client, rightsOf(places, rightsIn(places)));
  await eventually('the CA is issued', () => isCertified(mesh), seen);
  await eventually('the field is set', async () => (await textOf(mesh)) === PATCHED, seen);
  await eventually('Envoys are handed the roots', () => hasRoots(app), seen);
});

test.run();
