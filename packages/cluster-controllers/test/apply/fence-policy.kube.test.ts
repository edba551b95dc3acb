/**
 * The fence at a real API server: its admission policy rejects every write of a former leader, whatever that leader
 * believes.
 */
import { randomUUID } from 'node:crypto';
import type { KubeObject } from '@meshrelay/api';
import { crds } from '@meshrelay/api/crds';
import { connect, isKubeError, outputLedgerKind } from '@meshrelay/kube';
import { openCrd } from '@meshrelay/kube-sim';
import { FENCE_POLICY, fencePolicy, OWNER_LABEL, type ResourceKind, TERM_ANNOTATION } from '@meshrelay/relay-core';
import { assert, eventually, realApiServer, test } from '@meshrelay/testing';
import { DesiredTable } from '../../src/apply/desired-table.ts';
import { Fence } from '../../src/apply/fence.ts';
import { LiveObjects } from '../../src/apply/live-objects.ts';
import { ObjectWriter, type ReconcileKey } from '../../src/apply/object-writer.ts';
import { UnconfirmedWrites } from '../../src/apply/unconfirmed-writes.ts';

const connection = connect({ text: realApiServer() });
test.after(async () => await connection[Symbol.asyncDispose]());
const namespace = `fence-${randomUUID().slice(0, 8)}`;
const kind: ResourceKind = {
  group: 'fence.meshrelay.example',
  version: 'v1',
  kind: 'Thing',
  plural: 'things',
  namespaced: true,
};
const CLUSTER_KINDS = {
  crd: ['apiextensions.k8s.io', 'v1', 'CustomResourceDefinition', 'customresourcedefinitions'],
  namespace: ['', 'v1', 'Namespace', 'namespaces'],
  policy: ['admissionregistration.k8s.io', 'v1', 'ValidatingAdmissionPolicy', 'validatingadmissionpolicies'],
  binding: [
    'admissionregistration.k8s.io',
    'v1',
    'ValidatingAdmissionPolicyBinding',
    'validatingadmissionpolicybindings',
  ],
} as const;

function clusterKind(name: keyof typeof CLUSTER_KINDS): ResourceKind {
  const [group, version, of, plural] = CLUSTER_KINDS[name];
  return { group, version, kind: of, plural, namespaced: false };
}

/** Creates the object if it does not exist. */
async function ensure(of: ResourceKind, object: KubeObject): Promise<void> {
  try {
    await connection.objects(of).create(object);
  } catch (error) {
    if (!isKubeError(error, 'RELAY_E_KUBE_EXISTS')) throw error;
  }
}

const ledgerCrd = crds.find(({ metadata }) => metadata.name === 'outputledgers.admin.meshrelay.dev');
assert.ok(ledgerCrd);
await ensure(clusterKind('crd'), ledgerCrd as unknown as KubeObject);
await ensure(clusterKind('crd'), openCrd(kind) as unknown as KubeObject);
await ensure(clusterKind('namespace'), {
  apiVersion: 'v1',
  kind: 'Namespace',
  metadata: { name: namespace },
  spec: {},
});
const [policy, binding] = fencePolicy({ kinds: [kind], namespace });
assert.ok(policy && binding);
// Another run may have left its own.
for (const [which, object] of [
  ['policy', policy],
  ['binding', binding],
] as const) {
  await connection.objects(clusterKind(which)).delete({ name: FENCE_POLICY });
  await connection.objects(clusterKind(which)).create(object);
}
test.after(async () => {
  for (const each of ['policy', 'binding'] as const)
    await connection.objects(clusterKind(each)).delete({ name: FENCE_POLICY });
});

const ledger = { namespace, name: 'agent' };
async function setTerm(term: number): Promise<void> {
  const stored = await connection.objects(outputLedgerKind).read(ledger);
  const spec = { term, holder: 'test' };
  const apiVersion = 'admin.meshrelay.dev/v1alpha1';
  if (stored !== undefined) await connection.objects(outputLedgerKind).replace({ ...stored, spec });
  else await connection.objects(outputLedgerKind).create({ apiVersion, kind: 'OutputLedger', metadata: ledger, spec });
}

const things = connection.objects(kind);
const thing = (
  name: string,
  term: string | undefined,
  labels: Record<string, string> = { [OWNER_LABEL]: 'meshrelay' },
) => ({
  apiVersion: 'fence.meshrelay.example/v1',
  kind: 'Thing',
  metadata: { namespace, name, labels, ...(term === undefined ? {} : { annotations: { [TERM_ANNOTATION]: term } }) },
  spec: {},
});
const subject = (name: string): ReconcileKey => ({
  id: `fence.meshrelay.example/v1/Thing/${namespace}/${name}`,
  kind,
  key: { namespace, name },
});

/** Result of a write. */
async function outcome(write: Promise<unknown>): Promise<string> {
  return write.then(
    () => 'written',
    (error: Error) => error.message,
  );
}

/** A leader of this term that believes that its Lease never expires, such as a frozen process that resumes. */
function leader(term: number) {
  const desired = new DesiredTable();
  const live = new LiveObjects([kind]);
  const writer = new ObjectWriter({
    connection,
    desired,
    live,
    unconfirmed: new UnconfirmedWrites(live),
    isAbsent: () => false,
    forget: async () => true,
    resolved: () => {},
    fence: new Fence({ term, currentTerm: () => term, validFor: () => 1_000, onOutdated: () => {} }),
    owner: 'meshrelay',
    requestSignal: () => AbortSignal.timeout(60_000),
  });
  return {
    async write(name: string): Promise<string> {
      const { id } = subject(name);
      desired.desire({ id, kind, hash: `${name} ${term}`, object: { ...thing(name, undefined), spec: { term } } });
      const result = await writer.reconcile(subject(name));
      return result.result === 'failed' ? `${result.code}: ${result.reason}` : result.result;
    },
  };
}

await setTerm(5);
// A policy takes effect some time after it was stored.
await eventually(
  'the policy is effective',
  async () => {
    const sent = await outcome(things.create(thing('probe', '4')));
    if (sent === 'written') await things.delete({ namespace, name: 'probe' });
    return sent !== 'written';
  },
  { deadline: 120_000 },
);

test('a late create of a former leader is rejected by its term; that of the current leader is not', async () => {
  const [former, present] = [leader(4), leader(5)];
  for (let each = 0; each < 50; each += 1)
    assert.match(await former.write(`late-${each}`), 'this write is of term 4, and term 5 has begun');
  assert.is(await present.write('a'), 'applied');
  assert.is((await things.read({ namespace, name: 'a' }))?.metadata.annotations?.[TERM_ANNOTATION], '5');
  const names = (await things.list({ namespace })).map(({ metadata }) => metadata.name);
  assert.equal(names, ['a'], 'nothing was left behind');
});

test('an object that a newer term has written is not overwritten, even if the ledger does not know of it', async () => {
  await things.create(thing('b', '7'));
  const stored = await things.read({ namespace, name: 'b' });
  assert.ok(stored);
  const back = { ...stored, metadata: { ...stored.metadata, annotations: { [TERM_ANNOTATION]: '6' } } };
  assert.match(await outcome(things.replace(back)), 'the last write of the object was of term 7');
});

test('without a ledger the policy admits everything: the first leader creates one', async () => {
  await connection.objects(outputLedgerKind).delete(ledger);
  await eventually('it passes', async () => (await outcome(things.create(thing('first', '1')))) === 'written');
  await setTerm(5);
});

test('other users may edit managed objects, and the policy ignores unmanaged ones', async () => {
  await things.create(thing('c', '5'));
  await setTerm(6);
  const read = async () => {
    const found = await things.read({ namespace, name: 'c' });
    assert.ok(found);
    return found;
  };
  await eventually('the new term counts', async () =>
    (await outcome(things.create(thing('d', '5')))).includes('term 6'),
  );
  const edited = await read();
  assert.is(await outcome(things.replace({ ...edited, spec: { by: 'a person' } })), 'written');
  const bare = await read();
  assert.is(await outcome(things.replace({ ...bare, metadata: { ...bare.metadata, annotations: {} } })), 'written');
  assert.is(await outcome(things.create(thing('e', undefined))), 'written', 'no term, no late write of an agent');
  assert.is(await outcome(things.create(thing('f', 'soon'))), 'written');
  assert.is(await outcome(things.create(thing('g', '1', {}))), 'written', 'without our label');
  assert.is(await outcome(things.delete({ namespace, name: 'c' })), 'written');
});

test.run();
