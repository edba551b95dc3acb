import type { KubeObject } from '@meshrelay/api';
import { assert, test } from '@meshrelay/testing';
import { type ApiAnswer, ApiServer } from '../src/kube/api-server.ts';

const PATH = '/apis/paper.example/v1/namespaces/shop/sheets';
const sheet = (name: string, spec: object, metadata: object = {}): KubeObject => ({
  apiVersion: 'paper.example/v1',
  kind: 'Sheet',
  metadata: { name, namespace: 'shop', ...metadata },
  spec,
});

class Client {
  readonly server = new ApiServer('test', () => 0);

  send(method: string, path: string, body?: unknown, contentType = ''): ApiAnswer {
    return this.server.handle({ method, path, query: { fieldManager: 'us' }, body, contentType, actor: 'test' });
  }

  apply(object: KubeObject): ApiAnswer {
    return this.send('PATCH', `${PATH}/${object.metadata.name}`, object, 'application/apply-patch+yaml');
  }
}

const versionOf = ({ body }: ApiAnswer): string => (body as KubeObject).metadata.resourceVersion as string;

test('an apply without differences changes nothing', () => {
  const client = new Client();
  const first = versionOf(client.apply(sheet('a', { line: 1 })));
  assert.is(versionOf(client.apply(sheet('a', { line: 1 }))), first);
  assert.not.equal(versionOf(client.apply(sheet('a', { line: 2 }))), first);
  assert.is(client.server.history.length, 2);
});

test('an apply with another resourceVersion is rejected, one without is not', () => {
  const client = new Client();
  client.apply(sheet('a', { line: 1 }));
  assert.is(client.apply(sheet('a', { line: 2 }, { resourceVersion: '1' })).status, 409);
  assert.is(client.apply(sheet('a', { line: 2 })).status, 200);
});

test('a deletion with another uid is rejected', () => {
  const client = new Client();
  client.apply(sheet('a', {}));
  assert.is(client.send('DELETE', `${PATH}/a`, { preconditions: { uid: 'other' } }).status, 409);
  assert.is(client.send('DELETE', `${PATH}/a`, {}).status, 200);
  assert.is(client.send('GET', `${PATH}/a`).status, 404);
});

test('a watch from a version before the history gets an error', () => {
  const client = new Client();
  client.apply(sheet('a', {}));
  assert.is(client.server.since(1)?.length, 1);
  client.server.compact();
  assert.is(client.server.since(1), undefined);
});

test('all pages of a list return one state', () => {
  const client = new Client();
  for (const name of ['a', 'b', 'c']) client.apply(sheet(name, {}));
  const page = (query: Record<string, string>): ApiAnswer =>
    client.server.handle({
      method: 'GET',
      path: PATH,
      query: { limit: '2', ...query },
      body: undefined,
      contentType: '',
      actor: '',
    });
  const first = page({}).body as { items: KubeObject[]; metadata: { continue: string } };
  assert.is(first.items.length, 2);
  assert.is((page({ continue: first.metadata.continue }).body as { items: KubeObject[] }).items.length, 1);
  client.apply(sheet('d', {}));
  assert.is(page({ continue: first.metadata.continue }).status, 410);
});

test.run();
