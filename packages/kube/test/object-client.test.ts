/** The request of each call, and the result of each answer. */
import type { KubeObject } from '@meshrelay/api';
import type { ResourceKind } from '@meshrelay/relay-core';
import { assert, test } from '@meshrelay/testing';
import { isKubeError, KubeError, type KubeErrorCode, type Retry, servesKind } from '../src/mod.ts';
import { rejection, type StubAnswer, StubApi } from './stub-api.ts';

const rules: ResourceKind = {
  group: 'networking.istio.io',
  version: 'v1',
  kind: 'VirtualService',
  plural: 'virtualservices',
  namespaced: true,
};
const nodes: ResourceKind = { group: '', version: 'v1', kind: 'Node', plural: 'nodes', namespaced: false };
const key = { namespace: 'bookinfo', name: 'reviews' };
const object: KubeObject = {
  apiVersion: 'networking.istio.io/v1',
  kind: 'VirtualService',
  metadata: { ...key, uid: 'u-1', resourceVersion: '7', managedFields: [{}], labels: { a: 'b' } },
  spec: { hosts: ['reviews'] },
};
const path = '/apis/networking.istio.io/v1/namespaces/bookinfo/virtualservices';

async function failure(call: Promise<unknown>): Promise<KubeError> {
  const error = await call.then(
    () => new Error('succeeded'),
    (reason: unknown) => reason,
  );
  assert.instance(error, KubeError, String(error));
  return error as KubeError;
}

test('paths, verbs, parameters and media types are those of the API', async () => {
  await using api = await StubApi.start(() => ({ body: object }));
  const client = api.connection.objects(rules);
  await client.read(key);
  await client.create(object);
  await client.replace(object, { dryRun: true });
  await client.merge(key, { spec: { hosts: null } });
  await client.apply(object);
  await client.applyStatus(key, { state: 'ACCEPTED' }, { fieldManager: 'meshrelay-server', force: true });
  await client.delete(key, { expected: { uid: 'u-1', resourceVersion: '7' } });
  await api.connection.objects(nodes).read({ name: 'n1' });
  assert.equal(
    api.requests.map(({ method, path: at }) => `${method} ${at}`),
    [
      `GET ${path}/reviews`,
      `POST ${path}`,
      `PUT ${path}/reviews`,
      `PATCH ${path}/reviews`,
      `PATCH ${path}/reviews`,
      `PATCH ${path}/reviews/status`,
      `DELETE ${path}/reviews`,
      'GET /api/v1/nodes/n1',
    ],
  );
  const strict = { fieldManager: 'meshrelay-agent', fieldValidation: 'Strict' };
  assert.equal(
    api.requests.map(({ query }) => query),
    [
      {},
      strict,
      { ...strict, dryRun: 'All' },
      strict,
      { ...strict, force: 'false' },
      { ...strict, fieldManager: 'meshrelay-server', force: 'true' },
      {},
      {},
    ],
  );
  const types = api.requests.map(({ headers }) => headers['content-type']);
  assert.equal(types.slice(3, 6), [
    'application/merge-patch+json',
    'application/apply-patch+yaml',
    'application/apply-patch+yaml',
  ]);
  assert.equal(api.requests[6]?.body, {
    apiVersion: 'v1',
    kind: 'DeleteOptions',
    propagationPolicy: 'Background',
    preconditions: { uid: 'u-1', resourceVersion: '7' },
  });
  for (const { headers } of api.requests) {
    assert.is(headers['authorization'], 'Bearer secret-token');
    assert.is(headers['user-agent'], 'meshrelay');
    assert.is(headers['accept'], 'application/json');
  }
});

test('an applied object has versions only as preconditions, and never managedFields', async () => {
  await using api = await StubApi.start(() => ({ body: object }));
  const client = api.connection.objects(rules);
  await client.apply(object);
  await client.apply(object, { expected: { uid: 'u-1', resourceVersion: '7' } });
  const [plain, guarded] = api.requests.map(({ body }) => (body as KubeObject).metadata);
  assert.equal(plain, { ...key, labels: { a: 'b' } });
  assert.equal(guarded, { ...key, labels: { a: 'b' }, uid: 'u-1', resourceVersion: '7' });
});

test('sequential requests share connections', async () => {
  await using api = await StubApi.start(() => ({ body: object }));
  for (let i = 0; i < 20; i++) await api.connection.objects(rules).read(key);
  // A second one is opened if a request follows before the first connection is idle.
  assert.ok(api.accepted <= 2, `${api.accepted} connections`);
});

const answers: [string, StubAnswer, KubeErrorCode, Retry][] = [
  ['conflict', rejection(409, 'Conflict', 'the object has been modified'), 'RELAY_E_KUBE_CONFLICT', 'now'],
  ['exists', rejection(409, 'AlreadyExists', 'already exists'), 'RELAY_E_KUBE_EXISTS', 'now'],
  [
    'field conflict',
    rejection(409, 'Conflict', 'Apply failed with 1 conflict: conflict with "kubectl": .spec.hosts', {
      causes: [{ reason: 'FieldManagerConflict', message: 'conflict with "kubectl"', field: '.spec.hosts' }],
    }),
    'RELAY_E_KUBE_FIELD_CONFLICT',
    'never',
  ],
  ['no kind', { status: 404, body: '404 page not found\n' }, 'RELAY_E_KUBE_NOT_FOUND', 'never'],
  ['forbidden', rejection(403, 'Forbidden', 'cannot patch resource'), 'RELAY_E_KUBE_FORBIDDEN', 'backoff'],
  ['unauthorized', rejection(401, 'Unauthorized', 'Unauthorized'), 'RELAY_E_KUBE_FORBIDDEN', 'backoff'],
  ['invalid', rejection(422, 'Invalid', 'spec.hosts: Required value'), 'RELAY_E_KUBE_INVALID', 'never'],
  [
    'bad request',
    rejection(400, 'BadRequest', 'strict decoding error: unknown field'),
    'RELAY_E_KUBE_INVALID',
    'never',
  ],
  ['bad type', { status: 415, body: 'unsupported' }, 'RELAY_E_KUBE_INVALID', 'never'],
  [
    'unknown field applied',
    rejection(
      500,
      '',
      'failed to create typed patch object (/; ex.io/v1, Kind=W): .spec.u: field not declared in schema',
    ),
    'RELAY_E_KUBE_INVALID',
    'never',
  ],
  ['expired', rejection(410, 'Expired', 'too old resource version'), 'RELAY_E_KUBE_EXPIRED', 'now'],
  ['throttled', rejection(429, 'TooManyRequests', 'slow down'), 'RELAY_E_KUBE_UNAVAILABLE', 'backoff'],
  ['internal', rejection(500, 'InternalError', 'etcd'), 'RELAY_E_KUBE_UNAVAILABLE', 'backoff'],
  ['gateway', { status: 502, body: '<html>Bad Gateway</html>' }, 'RELAY_E_KUBE_UNAVAILABLE', 'backoff'],
  ['no JSON', { status: 200, body: '{"kind":' }, 'RELAY_E_KUBE_UNAVAILABLE', 'backoff'],
];
for (const [name, answer, code, retry] of answers) {
  test(`${name} is ${code}, with retry: ${retry}`, async () => {
    await using api = await StubApi.start(() => answer);
    const error = await failure(api.connection.objects(rules).apply(object));
    assert.is(error.code, code);
    assert.is(error.retry, retry);
    assert.match(error.message, 'apply VirtualService bookinfo/reviews: ');
    assert.match(error.message, '; ');
    const message = (answer.body as { message?: string }).message;
    if (message) assert.match(error.message, message);
    assert.not.match(error.message, 'secret-token');
  });
}

test('another incarnation of the object is a conflict', async () => {
  const causes = [{ reason: 'FieldValueInvalid', message: 'field is immutable', field: 'metadata.uid' }];
  await using api = await StubApi.start(() =>
    rejection(422, 'Invalid', 'metadata.uid: field is immutable', { causes }),
  );
  const error = await failure(api.connection.objects(rules).apply(object, { expected: { uid: 'old' } }));
  assert.is(error.code, 'RELAY_E_KUBE_CONFLICT');
  assert.equal(error.causes, causes);
});

test('the retry delay of a server is reported, from header and body', async () => {
  await using header = await StubApi.start(() => ({ ...rejection(429, '', 'x'), headers: { 'retry-after': '3' } }));
  assert.is((await failure(header.connection.objects(rules).read(key))).retryAfter, 3000);
  await using body = await StubApi.start(() => rejection(504, 'Timeout', 'x', { retryAfterSeconds: 1 }));
  assert.is((await failure(body.connection.objects(rules).read(key))).retryAfter, 1000);
});

test('a missing object reads as undefined and deletes as absent', async () => {
  await using api = await StubApi.start(() => rejection(404, 'NotFound', 'not found'));
  const client = api.connection.objects(rules);
  assert.is(await client.read(key), undefined);
  assert.is(await client.delete(key), 'absent');
  assert.is((await failure(client.merge(key, {}))).code, 'RELAY_E_KUBE_NOT_FOUND');
});

test('a timeout, a failed connection and an abort are distinguished', async () => {
  await using api = await StubApi.start(() => undefined);
  const abort = new AbortController();
  const call = api.connection.objects(rules).read(key, { signal: abort.signal });
  abort.abort(new Error('enough'));
  assert.is(String(await call.catch(String)), 'Error: enough');
  const { connect } = await import('../src/mod.ts');
  const hasty = connect({ text: api.kubeconfig }, { timeout: 50 });
  assert.is((await failure(hasty.objects(rules).read(key))).code, 'RELAY_E_KUBE_UNAVAILABLE');
  await hasty[Symbol.asyncDispose]();
  const closed = connect({ text: api.kubeconfig.replace(/127.0.0.1:\d+/, '127.0.0.1:1') });
  const error = await failure(closed.objects(rules).read(key));
  assert.is(error.code, 'RELAY_E_KUBE_UNAVAILABLE');
  assert.match(error.message, 'read VirtualService bookinfo/reviews: no answer');
  await closed[Symbol.asyncDispose]();
});

test('a list contains all pages, and each item has its kind', async () => {
  await using api = await StubApi.start(({ query }) => {
    const page = Number(query['continue'] ?? 0);
    const items = [{ metadata: { name: `o${page}`, namespace: 'bookinfo' } }];
    return { body: { metadata: { resourceVersion: '9', continue: page < 2 ? String(page + 1) : '' }, items } };
  });
  const list = await api.connection.objects(rules).list({ labelSelector: 'a=b' });
  assert.equal(
    list.map(({ kind, apiVersion, metadata: { name } }) => `${apiVersion} ${kind} ${name}`),
    [
      'networking.istio.io/v1 VirtualService o0',
      'networking.istio.io/v1 VirtualService o1',
      'networking.istio.io/v1 VirtualService o2',
    ],
  );
  assert.equal(
    api.requests.map(({ query }) => query),
    [
      { limit: '500', labelSelector: 'a=b' },
      { limit: '500', labelSelector: 'a=b', continue: '1' },
      { limit: '500', labelSelector: 'a=b', continue: '2' },
    ],
  );
  assert.is(api.requests[0]?.path, '/apis/networking.istio.io/v1/virtualservices');
});

test('a list that expires half-way starts over once, and is never returned in part', async () => {
  let expire = 1;
  await using api = await StubApi.start(({ query }) => {
    if (query['continue'] === undefined) {
      return { body: { metadata: { resourceVersion: '9', continue: 'next' }, items: [{ metadata: { name: 'a' } }] } };
    }
    return expire-- > 0
      ? rejection(410, 'Expired', 'too old')
      : { body: { metadata: { resourceVersion: '9' }, items: [{ metadata: { name: 'b' } }] } };
  });
  assert.equal(
    (await api.connection.objects(rules).list()).map(({ metadata }) => metadata.name),
    ['a', 'b'],
  );
  expire = 2;
  assert.is((await failure(api.connection.objects(rules).list())).code, 'RELAY_E_KUBE_EXPIRED');
});

test('names cannot escape their path segment', async () => {
  await using api = await StubApi.start(() => ({ body: object }));
  const client = api.connection.objects(rules);
  for (const name of ['a/b', '../../x', 'a?b=c', 'a#b', '%2e%2e']) await client.read({ namespace: 'n', name });
  for (const { path: at } of api.requests) assert.is(at.split('/').length, path.split('/').length + 1, at);
  for (const bad of [
    { namespace: 'n', name: '..' },
    { namespace: '..', name: 'x' },
    { namespace: 'n', name: '' },
    { name: 'x' },
  ]) {
    assert.instance(await client.read(bad).catch((error: unknown) => error), TypeError);
  }
  assert.instance(await client.replace({ ...object, metadata: key }).catch((error: unknown) => error), TypeError);
});

test('discovery distinguishes an absent kind from a server that does not answer', async () => {
  let answer: StubAnswer = { body: { resources: [{ name: 'virtualservices' }, { name: 'virtualservices/status' }] } };
  await using api = await StubApi.start(() => answer);
  assert.ok(await servesKind(api.connection, rules));
  assert.not(await servesKind(api.connection, { ...rules, plural: 'gateways' }));
  answer = { status: 404, body: '404 page not found\n' };
  assert.not(await servesKind(api.connection, nodes));
  assert.equal(
    api.requests.map(({ path: at }) => at),
    ['/apis/networking.istio.io/v1', '/apis/networking.istio.io/v1', '/api/v1'],
  );
  answer = rejection(503, 'ServiceUnavailable', 'not yet');
  assert.ok(isKubeError(await failure(servesKind(api.connection, nodes)), 'RELAY_E_KUBE_UNAVAILABLE'));
});

test.run();
