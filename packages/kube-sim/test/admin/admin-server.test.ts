/** The admin endpoint: faults and history of a simulator that runs as a program. */
import { assert, suite } from '@meshrelay/testing';
import { Client, targetOf } from '@meshrelay/testing/api-server';
import { keepWrites } from '../../src/admin/keep-writes.ts';
import { type AdminServer, type KubeSim, startAdmin, startKubeSim } from '../../src/mod.ts';

const endpoint = suite('the admin endpoint');
let sim: KubeSim;
let admin: AdminServer;
let client: Client;

endpoint.before(async () => {
  const { writes, recordWrite } = keepWrites();
  sim = await startKubeSim({ controllers: false, recordWrite });
  admin = await startAdmin({ address: { host: '127.0.0.1', port: 0 }, faults: sim.faults, writes });
  client = new Client(targetOf(sim.kubeconfig));
});

endpoint.after(async () => {
  client[Symbol.dispose]();
  await admin[Symbol.asyncDispose]();
  await sim[Symbol.asyncDispose]();
});

interface Answer {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: JSON of many shapes, checked by the expectations of the tests
  readonly body: any;
}

async function ask(
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const response = await fetch(`${admin.url}${path}`, {
    method,
    headers,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: await response.json() };
}

const NAMESPACES = '/api/v1/namespaces';
const RULE = { match: { verbs: ['list'], resource: 'namespaces' }, fault: { kind: 'error', code: 500 } };

endpoint('plans faults, shows what they struck, and lifts them', async () => {
  const { status, body } = await ask('POST', '/faults', RULE);
  assert.is(status, 201);
  assert.is((await client.get(NAMESPACES)).status, 500);
  assert.equal((await ask('GET', '/faults')).body.items, [{ id: body.id, ...RULE, struck: 1 }]);
  assert.is((await ask('DELETE', `/faults/${body.id}`)).status, 200);
  assert.is((await ask('DELETE', `/faults/${body.id}`)).status, 404);
  assert.is((await client.get(NAMESPACES)).status, 200);
  await ask('POST', '/faults', RULE);
  await ask('DELETE', '/faults');
  assert.is((await client.get(NAMESPACES)).status, 200);
});

endpoint('shows writes after a revision', async () => {
  const body = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop' } };
  const revision = Number((await client.post(NAMESPACES, body)).body.metadata.resourceVersion);
  const { items } = (await ask('GET', `/writes?after=${revision - 1}`)).body;
  assert.equal([items[0].type, items[0].object.metadata.name, items[0].actor.verb], ['ADDED', 'shop', 'create']);
  assert.is(
    (await ask('GET', `/writes?after=${revision}`)).body.items.some(
      (item: { revision: number }) => item.revision === revision,
    ),
    false,
  );
});

for (const [rule, words] of [
  [[], /^rule: expected an object/],
  [{ fault: { kind: 'flood' } }, /^fault\.kind: expected one of error, delay, .*silent-watch, got "flood"$/],
  [{ fault: { kind: 'error' } }, /^fault\.code: missing$/],
  [{ fault: { kind: 'error', code: 200 } }, /^fault\.code: got 200$/],
  [{ fault: { kind: 'reset', code: 500 } }, /^fault\.code: not known; there are kind$/],
  [{ match: { verb: 'list' }, fault: { kind: 'reset' } }, /^match\.verb: not known; there are verbs, group,/],
  [{ fault: { kind: 'reset' }, times: -1 }, /^rule\.times: got -1$/],
] as const)
  endpoint(`refuses ${JSON.stringify(rule)}`, async () => {
    const { status, body } = await ask('POST', '/faults', rule);
    assert.is(status, 400);
    assert.match(body.error, words);
    assert.is(sim.faults.list().length, 0);
  });

endpoint('serves only programs on this machine', async () => {
  assert.is((await ask('GET', '/faults', undefined, { origin: 'https://example.com' })).status, 403);
  const open = startAdmin({ address: { host: '0.0.0.0', port: 0 }, faults: sim.faults, writes: () => [] });
  const rejection = await open.then(
    () => 'listens',
    (error: Error) => error.message,
  );
  assert.match(rejection, /^admin address 0\.0\.0\.0: expected one of 127\.0\.0\.1/);
});

endpoint.run();
