/** Secrets as text: written by compare-and-swap, created once, deleted only in the version that was read. */
import type { KubeObject } from '@meshrelay/api';
import { OWNER_LABEL } from '@meshrelay/relay-core';
import { assert, test } from '@meshrelay/testing';
import { isKubeError, Secrets } from '../src/mod.ts';
import { rejection, StubApi, type StubRequest } from './stub-api.ts';

type Secret = KubeObject & { readonly data?: Readonly<Record<string, string>> };

/** One Secret with versions; `conflicting` writes right before each of the next writes, that many times. */
class Vault {
  stored: Secret | undefined;
  competitors = 0;
  #version = 0;

  readonly serve = ({ method, path, body }: StubRequest) => {
    if (!path.startsWith('/api/v1/namespaces/mesh/secrets')) return rejection(404, 'NotFound', path);
    if (method === 'GET') return this.stored === undefined ? rejection(404, 'NotFound', 'none') : { body: this.stored };
    if (this.competitors > 0) {
      this.competitors -= 1;
      this.put({ ...SECRET, data: { ...this.stored?.data, [`competitor-${this.competitors}`]: btoa('was here') } });
    }
    const given = body as Secret;
    const { uid } = (body as { readonly preconditions?: { readonly uid?: string } }).preconditions ?? {};
    if (method === 'DELETE' && uid !== this.stored?.metadata.uid) return rejection(409, 'Conflict', 'another');
    if (method === 'DELETE') {
      this.stored = undefined;
      return { body: { kind: 'Status', status: 'Success' } };
    }
    if (method === 'POST' && this.stored !== undefined) return rejection(409, 'AlreadyExists', 'exists');
    if (method === 'PUT' && given.metadata.resourceVersion !== this.stored?.metadata.resourceVersion)
      return rejection(409, 'Conflict', 'modified');
    return { body: this.put(given) };
  };

  put(secret: Secret): Secret {
    const uid = this.stored?.metadata.uid ?? `uid-${this.#version}`;
    this.#version += 1;
    this.stored = { ...secret, metadata: { ...secret.metadata, uid, resourceVersion: String(this.#version) } };
    return this.stored;
  }
}

const SECRET = {
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name: 'one', namespace: 'mesh' },
} as unknown as Secret;

test('an update creates the Secret, then changes only its data, and loses no concurrent writes', async () => {
  const vault = new Vault();
  await using api = await StubApi.start(vault.serve);
  const secrets = new Secrets(api.connection, 'mesh');
  assert.equal((await secrets.update('one', (before) => ({ ...before, a: 'ä' }))).data, { a: 'ä' });
  vault.put({ ...(vault.stored as Secret), metadata: { ...SECRET.metadata, labels: { keep: 'me' } } });
  vault.competitors = 2;
  const { data } = await secrets.update('one', (before) => ({ ...before, b: 'c' }));
  assert.equal(data, { a: 'ä', 'competitor-0': 'was here', 'competitor-1': 'was here', b: 'c' });
});

test('a replacement keeps labels, and is rejected after a concurrent write', async () => {
  const vault = new Vault();
  await using api = await StubApi.start(vault.serve);
  const secrets = new Secrets(api.connection, 'mesh');
  vault.put({ ...SECRET, metadata: { ...SECRET.metadata, labels: { keep: 'me' } }, data: { a: btoa('b') } } as Secret);
  const read = await secrets.read('one');
  assert.ok(read !== undefined && !read.managed);
  if (read === undefined) return;
  await secrets.replace(read, { a: 'c' });
  assert.equal([vault.stored?.data, vault.stored?.metadata.labels], [{ a: btoa('c') }, { keep: 'me' }]);
  const late = await secrets.replace(read, { a: 'd' }).catch((error: unknown) => error);
  assert.ok(isKubeError(late, 'RELAY_E_KUBE_CONFLICT'));
});

test('of several creators one wins, and all get its data', async () => {
  const vault = new Vault();
  await using api = await StubApi.start(vault.serve);
  const secrets = new Secrets(api.connection, 'mesh');
  const made = await secrets.ensure('one', async () => ({ a: 'first' }));
  assert.equal([made.managed, vault.stored?.metadata.labels], [true, { [OWNER_LABEL]: 'mesh' }]);
  assert.equal((await secrets.ensure('one', async () => ({ a: 'second' }))).data, { a: 'first' });
  vault.stored = undefined;
  vault.competitors = 1;
  assert.equal((await secrets.ensure('one', async () => ({ a: 'third' }))).data, { 'competitor-0': 'was here' });
});

test('a replacement of the Secret that was read is not deleted', async () => {
  const vault = new Vault();
  await using api = await StubApi.start(vault.serve);
  const secrets = new Secrets(api.connection, 'mesh');
  const made = await secrets.create('one', { a: 'b' });
  vault.stored = undefined;
  const another = await secrets.create('one', { a: 'c' });
  await secrets.delete(made);
  assert.ok(vault.stored !== undefined);
  await secrets.delete(another);
  assert.is(vault.stored, undefined);
});

test.run();
