/** Each check finds violations of its invariant, and none in a correct history. */
import type { KubeObject } from '@meshrelay/kube-sim';
import { assert, test } from '@meshrelay/testing';
import type { Entitlement } from '../../src/history/entitlement.ts';
import type { Write } from '../../src/history/history.ts';
import { INVARIANTS } from '../../src/history/invariants.ts';

const NEVER: Entitlement = { deletion: () => false };

function output(name: string, spec: object, annotations: Record<string, string> = {}): KubeObject {
  const metadata = { name, namespace: 'shop', labels: { 'meshrelay.dev/owner': 'meshrelay' }, annotations };
  return { apiVersion: 'networking.istio.io/v1', kind: 'VirtualService', metadata, spec } as KubeObject;
}

let revision = 0;

function write(type: Write['type'], object: KubeObject, more: Partial<Write> & { user?: string } = {}): Write {
  const { user = 'agent-c1-0', ...rest } = more;
  return {
    cluster: 'c1',
    at: 0,
    revision: ++revision,
    type,
    group: 'networking.istio.io',
    resource: 'virtualservices',
    object,
    actor: { user, userAgent: '', verb: 'patch' },
    ...rest,
  };
}

function ledger(term: number, inputVector: Record<string, string> = {}): KubeObject {
  const metadata = { name: 'agent', namespace: 'meshrelay' };
  return {
    apiVersion: 'admin.meshrelay.dev/v1alpha1',
    kind: 'OutputLedger',
    metadata,
    spec: { term, inputVector },
  } as KubeObject;
}

const LEDGER = { group: 'admin.meshrelay.dev', resource: 'outputledgers' };

function problems(id: string, writes: readonly Write[], entitlement = NEVER): readonly string[] {
  const invariant = INVARIANTS.find((each) => each.id === id);
  assert.ok(invariant);
  return invariant.check(writes, entitlement);
}

test('I3: a deletion needs a proof', () => {
  const gone = write('DELETED', output('a', {}));
  assert.equal(problems('I3', [gone]), ['agent-c1-0 deleted virtualservices.networking.istio.io shop/a in c1']);
  assert.equal(problems('I3', [gone], { deletion: ({ object }) => object.metadata.name === 'a' }), []);
  assert.equal(problems('I3', [write('DELETED', output('a', {}), { user: 'kubernetes-admin' })]), [], "a user's own");
  const mesh = write('DELETED', ledger(1), {
    user: 'mgmt-server-0',
    group: 'discovery.meshrelay.dev',
    resource: 'meshes',
  });
  assert.is(problems('I3', [mesh]).length, 1);
});

test('I5: only the leader of the newest term updates and deletes', () => {
  const begin = (term: number, user: string) => write('MODIFIED', ledger(term), { ...LEDGER, user });
  const update = (user: string) => write('MODIFIED', output('a', { x: user }), { user });
  assert.equal(
    problems('I5', [begin(1, 'agent-c1-0'), update('agent-c1-0'), begin(2, 'agent-c1-1'), update('agent-c1-1')]),
    [],
  );
  assert.equal(problems('I5', [begin(1, 'agent-c1-0'), begin(2, 'agent-c1-1'), update('agent-c1-0')]), [
    'agent-c1-0 updated virtualservices.networking.istio.io shop/a in c1 in term 2 of agent-c1-1',
  ]);
  const late = write('ADDED', output('late', {}));
  assert.equal(problems('I5', [begin(2, 'agent-c1-1'), late]), [], 'a late create is removed, not refused');
  const vector = write('MODIFIED', ledger(1, { x: '1/1' }), { ...LEDGER, user: 'agent-c1-0' });
  assert.is(problems('I5', [begin(2, 'agent-c1-1'), vector, update('agent-c1-0')]).length, 1);
});

test('I5: if the election is falsified, a term counts from its first output', () => {
  const begin = (term: number, user: string) => write('MODIFIED', ledger(term), { ...LEDGER, user });
  const update = (user: string) => write('MODIFIED', output('a', { x: user }), { user });
  const [one, two] = ['agent-c1-0', 'agent-c1-1'];
  const lies = { ...NEVER, electionLies: true };
  const overlap = [begin(1, one), update(one), begin(2, two), update(one), update(two)];
  assert.is(problems('I5', overlap).length, 1);
  assert.equal(problems('I5', overlap, lies), []);
  assert.is(problems('I5', [...overlap, update(one)], lies).length, 1);
});

test('I7: no component of a vector goes back', () => {
  const move = (before: Record<string, string>, after: Record<string, string>) =>
    write('MODIFIED', ledger(1, after), { ...LEDGER, previous: ledger(1, before) });
  assert.equal(problems('I7', [move({ a: '1/5', b: '2/1' }, { a: '1/6', b: '3/0' })]), []);
  assert.equal(problems('I7', [move({ a: '1/5' }, { a: '1/4' })]), [
    'outputledgers.admin.meshrelay.dev meshrelay/agent in c1: input a went from 1/5 to 1/4',
  ]);
  assert.is(problems('I7', [move({ a: '2/1' }, { a: '1/9' })]).length, 1);
  assert.is(problems('I7', [move({ a: '2/1' }, {})]).length, 1);
  assert.is(problems('I7', [move({ a: 'gone' }, {})]).length, 0);
  assert.equal(problems('I7', [move({ a: '1/5' }, { a: 'gone' }), move({ a: 'gone' }, { a: '1/5' })]), []);
});

test('I10: every write changes something, and none is reverted', () => {
  const change = (before: KubeObject, after: KubeObject) => write('MODIFIED', after, { previous: before });
  assert.equal(problems('I10', [change(output('a', { x: 1 }), output('a', { x: 2 }))]), []);
  const noted = change(output('a', { x: 1 }), output('a', { x: 1 }, { 'meshrelay.dev/applied': '2' }));
  assert.equal(problems('I10', [noted]), [
    'agent-c1-0 wrote virtualservices.networking.istio.io shop/a in c1 as it was',
  ]);
  const takenOver = change(output('a', { x: 1 }), output('a', { x: 1 }, { 'meshrelay.dev/term': '2' }));
  assert.equal(problems('I10', [takenOver]), [], 'a new leader may write it once');
  const again = [write('DELETED', output('a', { x: 1 })), write('ADDED', output('a', { x: 1 }))];
  assert.equal(problems('I10', again), ['virtualservices.networking.istio.io shop/a in c1 was deleted and made again']);
  assert.equal(
    problems('I10', again, { deletion: () => true }),
    [],
    'the row took away what it was made from, and gave it back',
  );
  const repaired = [write('DELETED', output('a', {}), { user: 'kubernetes-admin' }), write('ADDED', output('a', {}))];
  assert.equal(problems('I10', repaired), []);
});

test.run();
