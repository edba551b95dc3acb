/**
 * Intruders with exactly the permissions that `meshctl cluster rbac` prints, at a real API server: every known
 * privilege escalation fails (T29).
 */
import { randomUUID } from 'node:crypto';
import { crds } from '@meshrelay/api/crds';
import { assert, eventually, realApiServer, test } from '@meshrelay/testing';
import { applyAll, pathOf } from '@meshrelay/testing/accounts';
import { Client, targetOf } from '@meshrelay/testing/api-server';
import { CustomResources } from '@meshrelay/testing/custom-resources';
import { istioCrds } from '../src/mesh-crds.ts';
import { bearer, isAdministrator, printed } from '../src/rights/accounts.ts';
import { ADMIN_ACCOUNT, type Attack, attacks, type Places, tokenSecret } from '../src/rights/attacks.ts';
import { targets } from '../src/rights/targets.ts';

const admin = new Client(targetOf(realApiServer()));
test.after(() => admin[Symbol.dispose]());
const random = randomUUID().slice(0, 8);
const where = { mesh: `mesh-${random}`, app: `app-${random}` };
// A stored admission policy takes effect after some time.
const BUSY = { deadline: 120_000 };

await CustomResources.install(admin, [...crds, ...(await istioCrds())]);
/**
 * Accounts that meshctl creates have the same names in every cluster: remains of an earlier run would grant permissions
 * in another namespace.
 */
test.after(async () => {
  for (const object of await printed('cluster', 'rbac'))
    if (object.kind.startsWith('Cluster')) await admin.delete(pathOf(object));
});

interface Case {
  readonly account: string;
  readonly flags: readonly string[];
  /** Attacks that the permissions intentionally allow: SECURITY.md describes what an intruder gains by them. */
  readonly granted?: (places: Places) => readonly string[];
}

const MESH_FLAGS = ['--mesh-namespace', where.mesh, '--patch', `${where.mesh}/istio`];
const AGENT_FLAGS = [...MESH_FLAGS, '--envoy-namespace', where.app, '--pull-secret', `${where.app}/login`];
/** Attacks that the flags intentionally allow. */
const FOR_MESHES = [
  'the CA of a mesh',
  'the CA of a mesh exchanged, by replacing it',
  'the configuration of a mesh, by replacing it',
];
const ownSecrets = ({ own }: Places): readonly string[] => [
  `the Secrets of ${own}`,
  `another's Secret in ${own}`,
  `another's Secret in ${own}, by replacing it`,
];
const cases: Readonly<Record<string, Case>> = {
  'an agent': { account: 'meshrelay-agent', flags: [] },
  'an agent that certifies a mesh, patches its configuration and serves Envoys': {
    account: 'meshrelay-agent',
    flags: AGENT_FLAGS,
    granted: () => FOR_MESHES,
  },
  'a server’s kubeconfig': {
    account: 'meshrelay-direct',
    flags: ['--direct', ...MESH_FLAGS],
    granted: () => FOR_MESHES,
  },
  'the server': { account: 'meshrelay-mgmt-server', flags: ['--server'], granted: ownSecrets },
  'a server that takes part for its own cluster, and asks who its readers are': {
    account: 'meshrelay-mgmt-server',
    flags: ['--server', '--token-review', '--direct', ...MESH_FLAGS],
    granted: (places) => [...ownSecrets(places), ...FOR_MESHES, 'what another user may do'],
  },
};

for (const [who, { account, flags, granted = () => [] }] of Object.entries(cases)) {
  test(`${who}: no privilege escalation`, async () => {
    const places: Places = { own: `own-${randomUUID().slice(0, 8)}`, account, ...where };
    await applyAll(admin, targets(places));
    await applyAll(admin, await printed('cluster', 'rbac', '--namespace', places.own, ...flags));
    using intruder = await bearer(admin, places.own, account);
    await untilLimited(intruder, places);
    const tried = attacks(places);
    const feasible = await Promise.all(tried.filter(({ isVariant }) => isVariant !== true).map(isFeasible));
    assert.equal(
      feasible.filter((problem) => problem !== undefined),
      [],
      'an attack that fails even for an administrator shows nothing',
    );
    const through: string[] = [];
    for (const attack of tried) if ((await send(intruder, attack)).status !== 403) through.push(attack.what);
    assert.equal(through.sort(), [...granted(places)].sort());
    assert.not(await isAdministrator(intruder));
  });
}

test('the token of an administrator’s account, which a Secret of its name in any namespace would hold, is not available', async () => {
  const own = `own-${randomUUID().slice(0, 8)}`;
  const places: Places = { own, account: 'meshrelay-agent', ...where };
  await applyAll(admin, targets(places));
  await applyAll(admin, await printed('cluster', 'rbac', '--namespace', own, ...AGENT_FLAGS));
  using intruder = await bearer(admin, own, places.account);
  await untilLimited(intruder, places);
  const attack = tokenSecret('kube-system', 'cacerts');
  const secret = `${attack.path}/cacerts`;
  await admin.delete(secret);
  assert.is((await send(intruder, attack)).status, 403);
  // Control: the same Secret, created by an administrator, holds such a token.
  assert.is((await send(admin, attack)).status, 201);
  const data = await eventually('it holds a token', async () => (await admin.get(secret)).body.data?.token, BUSY);
  using builder = new Client({ ...admin.target, token: Buffer.from(data, 'base64').toString() });
  assert.ok(await isAdministrator(builder), `${ADMIN_ACCOUNT} is an administrator`);
  assert.is((await intruder.get(secret)).status, 403);
  await admin.delete(secret);
});

test('applying over the permissions of an older release revokes the excess', async () => {
  const own = `own-${randomUUID().slice(0, 8)}`;
  const now = await printed('cluster', 'rbac', '--namespace', own);
  const older = now.map((object) =>
    object.kind === 'ClusterRole'
      ? { ...object, rules: [...OLDER_RULES, ...((object as { rules?: readonly object[] }).rules ?? [])] }
      : object,
  );
  await applyAll(admin, targets({ own, account: 'meshrelay-agent', ...where }));
  await applyAll(
    admin,
    older.filter(({ kind }) => !kind.startsWith('Validating')),
  );
  using agent = await bearer(admin, own, 'meshrelay-agent');
  const read = () => agent.get('/api/v1/namespaces/default/secrets/cacerts');
  await eventually('it may read what it should not', async () => (await read()).status === 200, BUSY);
  await applyAll(admin, now);
  await eventually('it may not any more', async () => (await read()).status === 403, BUSY);
});

/** Permissions that older releases granted to agents in all namespaces. */
const OLDER_RULES = [
  {
    apiGroups: [''],
    resources: ['secrets'],
    resourceNames: ['cacerts', 'meshrelay-workload-ca'],
    verbs: ['get', 'update'],
  },
  { apiGroups: [''], resources: ['secrets'], verbs: ['create'] },
  { apiGroups: [''], resources: ['configmaps'], verbs: ['create', 'update'] },
];

/** Waits until requests that RBAC allows and the admission policy does not are rejected. */
async function untilLimited(intruder: Client, { own }: Places): Promise<void> {
  const path = `/apis/coordination.k8s.io/v1/namespaces/${own}/leases`;
  await eventually(
    'the policy is effective',
    async () => (await intruder.post(`${path}?dryRun=All`, { metadata: { name: 'mine' }, spec: {} })).status === 403,
    BUSY,
  );
}

function send(client: Client, { method, path, body, headers }: Attack, query = '') {
  const type = method === 'PATCH' ? { type: 'application/merge-patch+json' } : {};
  const url = query === '' ? path : `${path}${path.includes('?') ? '&' : '?'}${query}`;
  return client.send(method, url, { body, ...type, ...(headers === undefined ? {} : { headers }) });
}

/**
 * Why an administrator cannot do it; undefined if it is possible. For requests that a kubelet must answer, only whether
 * the API server allows them.
 */
async function isFeasible(attack: Attack): Promise<string | undefined> {
  const { status, text } = await send(admin, attack, attack.method === 'GET' ? '' : 'dryRun=All');
  const isAllowed = status < 300 || status === 409 || (attack.connects === true && status !== 403);
  return isAllowed ? undefined : `${attack.what}: ${status} ${text}`;
}

test.run();
