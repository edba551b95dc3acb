/** The term only rises, and each replica gets its own. */
import type { KubeObject } from '@meshrelay/api';
import { assert, test } from '@meshrelay/testing';
import { isKubeError, OutputLedgerTerm } from '../src/mod.ts';
import { rejection, StubApi, type StubRequest } from './stub-api.ts';

/** One OutputLedger with versions. */
class Ledger {
  stored: KubeObject | undefined;
  #version = 0;

  readonly serve = ({ method, path, body }: StubRequest) => {
    const object = body as KubeObject;
    if (!path.startsWith('/apis/admin.meshrelay.dev/v1alpha1/namespaces/mesh/outputledgers')) {
      return rejection(404, 'NotFound', path);
    }
    if (method === 'GET') return this.stored === undefined ? rejection(404, 'NotFound', 'none') : { body: this.stored };
    if (method === 'POST' && this.stored !== undefined) return rejection(409, 'AlreadyExists', 'exists');
    if (method === 'PUT' && this.stored?.metadata.resourceVersion !== object.metadata.resourceVersion) {
      return rejection(409, 'Conflict', 'modified');
    }
    return { body: this.put(object) };
  };

  put(object: KubeObject): KubeObject {
    this.stored = { ...object, metadata: { ...object.metadata, resourceVersion: String(++this.#version) } };
    return this.stored;
  }
}

test('the first raise creates the ledger, each further one adds one and keeps the other fields', async () => {
  const ledger = new Ledger();
  await using api = await StubApi.start(ledger.serve);
  const term = new OutputLedgerTerm({ connection: api.connection, namespace: 'mesh', holder: 'agent-0_x' });
  assert.is(await term.read(), 0);
  assert.is(await term.raise(), 1);
  assert.equal(ledger.stored?.spec, { term: 1, holder: 'agent-0_x' });
  ledger.put({ ...(ledger.stored as KubeObject), spec: { term: 41, inputVector: { c1: '1/2' } } });
  assert.is(await term.raise(), 42);
  assert.equal(ledger.stored?.spec, { term: 42, holder: 'agent-0_x', inputVector: { c1: '1/2' } });
  assert.is(await term.read(), 42);
});

test('the next term exceeds one found in other objects, even if the ledger was lost', async () => {
  const ledger = new Ledger();
  await using api = await StubApi.start(ledger.serve);
  let seen = 0;
  const term = new OutputLedgerTerm({ connection: api.connection, namespace: 'mesh', holder: 'a', floor: () => seen });
  assert.is(await term.raise(), 1);
  seen = 57;
  assert.is(await term.raise(), 58);
  seen = 3;
  assert.is(await term.raise(), 59);
});

test('replicas that raise at once get different terms', async () => {
  const ledger = new Ledger();
  await using api = await StubApi.start(ledger.serve);
  const raise = (holder: string) =>
    new OutputLedgerTerm({ connection: api.connection, namespace: 'mesh', holder }).raise();
  const terms = await Promise.all(['a', 'b', 'c', 'd'].map(raise));
  assert.equal(terms.sort(), [1, 2, 3, 4]);
});

test('endless lost races, and other rejections, are errors', async () => {
  await using racing = await StubApi.start(({ method }) =>
    method === 'GET' ? rejection(404, 'NotFound', 'none') : rejection(409, 'AlreadyExists', 'exists'),
  );
  const options = { namespace: 'mesh', holder: 'a', random: () => 0 };
  const lost = await new OutputLedgerTerm({ ...options, connection: racing.connection })
    .raise()
    .catch((error) => error);
  assert.ok(isKubeError(lost, 'RELAY_E_KUBE_EXISTS'));
  assert.is(racing.requests.length, 16);
  await using closed = await StubApi.start(() => rejection(403, 'Forbidden', 'no'));
  const refused = await new OutputLedgerTerm({ ...options, connection: closed.connection })
    .raise()
    .catch((error) => error);
  assert.ok(isKubeError(refused, 'RELAY_E_KUBE_FORBIDDEN'));
  assert.is(closed.requests.length, 1);
});

test('a term that is not a whole number is rejected', async () => {
  const ledger = new Ledger();
  await using api = await StubApi.start(ledger.serve);
  const term = new OutputLedgerTerm({ connection: api.connection, namespace: 'mesh', holder: 'a' });
  for (const bad of [undefined, '7', -1, 1.5, 2 ** 60]) {
    ledger.put({
      apiVersion: 'admin.meshrelay.dev/v1alpha1',
      kind: 'OutputLedger',
      metadata: { name: 'agent', namespace: 'mesh' },
      spec: { term: bad },
    });
    const error = await term.raise().catch((reason: unknown) => reason);
    assert.ok(isKubeError(error, 'RELAY_E_KUBE_INVALID'), String(error));
    assert.match(error.message, 'OutputLedger mesh/agent: spec.term must be a whole number');
  }
});

test.run();
