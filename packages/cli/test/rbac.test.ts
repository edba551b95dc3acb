/** Output of `meshctl cluster rbac`, and combinations of its options (T29). */
import { assert, test } from '@meshrelay/testing';
import { meshctlHere } from './support/run.ts';

interface Printed {
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string };
  readonly rules?: ReadonlyArray<{
    readonly apiGroups: readonly string[];
    readonly resources: readonly string[];
    readonly resourceNames?: readonly string[];
    readonly verbs: readonly string[];
  }>;
}

async function printed(...flags: readonly string[]): Promise<readonly Printed[]> {
  const { code, stdout, stderr } = await meshctlHere(['cluster', 'rbac', '-o', 'json', ...flags], FOLDER);
  assert.is(code, 0, stderr);
  return (JSON.parse(stdout) as { readonly items: readonly Printed[] }).items;
}

async function refused(...flags: readonly string[]): Promise<string> {
  const { code, stderr } = await meshctlHere(['cluster', 'rbac', ...flags], FOLDER);
  assert.is(code, 1, stderr);
  return stderr;
}

const FOLDER = import.meta.dirname;
const MESHES = ['--mesh-namespace', 'istio-system', '--patch', 'istio-system/istio'];
const placeOf = ({ kind, metadata: { namespace = '', name } }: Printed): string => `${kind} ${namespace}/${name}`;

/** The value with which each flag is tested. */
const kinds: Readonly<Record<string, readonly string[]>> = {
  agent: [...MESHES, '--envoy-namespace', 'shop', '--pull-secret', 'shop/login', '--own-secret', 'mine'],
  direct: ['--direct', ...MESHES],
  server: ['--server'],
  'server of its own cluster': ['--server', '--token-review', '--direct', ...MESHES],
};

for (const [who, flags] of Object.entries(kinds)) {
  test(`${who}: no Secret or ConfigMap is written in all namespaces; elsewhere they are read by name, never listed`, async () => {
    for (const { kind, metadata, rules = [] } of await printed(...flags)) {
      const secrets = rules.filter(({ resources }) => resources.includes('secrets'));
      const configMaps = rules.filter(({ resources }) => resources.includes('configmaps'));
      if (kind === 'ClusterRole') {
        assert.equal(secrets, []);
        for (const { verbs } of configMaps) assert.equal([...verbs].sort(), ['get', 'list', 'watch']);
      } else if (metadata.namespace !== 'meshrelay') {
        for (const { resourceNames, verbs } of [...secrets, ...configMaps])
          assert.ok(resourceNames !== undefined || verbs.join() === 'create', JSON.stringify(verbs));
      }
      for (const { apiGroups, resources, verbs } of rules)
        assert.not.ok([...apiGroups, ...resources, ...verbs].includes('*'), metadata.name);
    }
  });

  test(`${who}: the policy that limits it precedes all permissions`, async () => {
    const order = (await printed(...flags)).map(({ kind }) => kind);
    assert.equal(order.slice(0, 2), ['ValidatingAdmissionPolicy', 'ValidatingAdmissionPolicyBinding']);
  });
}

test('the output for one namespace adds to earlier output', async () => {
  const plain = await printed();
  const one = await printed('--mesh-namespace', 'one');
  const other = await printed('--mesh-namespace', 'other', '--patch', 'one/istio');
  const common = new Map(plain.map((object) => [placeOf(object), object]));
  for (const printing of [one, other])
    for (const object of printing) {
      const before = common.get(placeOf(object));
      if (before !== undefined) assert.equal(object, before, 'nothing that was applied before is replaced by another');
      common.set(placeOf(object), object);
    }
  assert.ok(common.has('Role one/meshrelay-agent-mesh-ca'));
  assert.ok(common.has('Role one/meshrelay-agent-patch-istio'));
  assert.ok(common.has('Role other/meshrelay-agent-mesh-ca'));
});

test('a patch is permitted for an object that a plugin patches, with its own kind', async () => {
  const [rule] = (await printed('--patch', 'osm-system/osm-mesh-config')).at(-2)?.rules ?? [];
  assert.equal(rule, {
    apiGroups: ['config.openservicemesh.io'],
    resources: ['meshconfigs'],
    resourceNames: ['osm-mesh-config'],
    verbs: ['get', 'update'],
  });
  assert.match(
    await refused('--patch', 'kube-system/coredns'),
    /--patch: no plugin patches an object named coredns; those that are patched: istio, istio-\*, osm-mesh-config/,
  );
});

test('contradicting options are rejected, with the next action', async () => {
  assert.match(await refused('--direct', '--pull-secret', 'shop/login'), /--pull-secret needs an agent/);
  assert.match(await refused('--server', '--envoy-namespace', 'shop'), /--envoy-namespace needs an agent/);
  assert.match(await refused('--server', '--mesh-namespace', 'istio-system'), /add --direct/);
  assert.match(await refused('--token-review'), /add --server/);
  assert.match(await refused('--mesh-namespace', 'Istio_System'), /Not a namespace name/);
});

test('permissions name their ServiceAccount, and those of a server contain no Secrets of an identity', async () => {
  const direct = await printed('--direct');
  const named = direct.filter(({ kind }) => kind !== 'Namespace').map(({ metadata }) => metadata.name);
  assert.equal([...new Set(named)], ['meshrelay-direct']);
  const secretsOf = (objects: readonly Printed[]) =>
    (objects.find(({ kind }) => kind === 'Role')?.rules ?? []).flatMap(({ resources, resourceNames = [] }) =>
      resources.includes('secrets') ? resourceNames : [],
    );
  assert.equal(secretsOf(direct), ['meshrelay-workload-ca']);
  assert.ok(secretsOf(await printed()).includes('relay-client-tls-secret'));
});

test('an agent may get the named pull Secrets, each in its namespace, and no others', async () => {
  const secrets = ['shop/login', 'books/login', 'shop/backup', 'shop/login'];
  const requested = secrets.flatMap((secret) => ['--pull-secret', secret]);
  const { stdout } = await meshctlHere(['cluster', 'rbac', '-o', 'json', ...requested], FOLDER);
  const { items } = JSON.parse(stdout) as { items: ReadonlyArray<Record<string, unknown>> };
  const metadata = (namespace: string) => ({ name: 'meshrelay-agent-pull-secrets', namespace });
  const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'meshrelay-agent-pull-secrets' };
  const subjects = [{ kind: 'ServiceAccount', name: 'meshrelay-agent', namespace: 'meshrelay' }];
  const rights = (namespace: string, ...resourceNames: string[]) =>
    [
      { kind: 'Role', rules: [{ apiGroups: [''], resources: ['secrets'], resourceNames, verbs: ['get'] }] },
      { kind: 'RoleBinding', roleRef, subjects },
    ].map((one) => ({ apiVersion: 'rbac.authorization.k8s.io/v1', metadata: metadata(namespace), ...one }));
  assert.equal(items.slice(8), [...rights('shop', 'backup', 'login'), ...rights('books', 'login')]);
});

test('invalid pull Secrets are reported', async () => {
  for (const [args, reason] of [
    [['--pull-secret', 'login'], /'--pull-secret <NAMESPACE\/NAME>' argument 'login' is invalid. Not NAMESPACE\/NAME/],
    [['--direct', '--pull-secret', 'shop/login'], /--pull-secret needs an agent/],
  ] as const) {
    const { code, stderr, stdout } = await meshctlHere(['cluster', 'rbac', ...args], FOLDER);
    assert.equal([code, stdout], [1, '']);
    assert.match(stderr, reason);
  }
});

test.run();
