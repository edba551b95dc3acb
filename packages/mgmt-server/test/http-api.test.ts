/** The HTTP API over the wire: every collection, its stream of changes, and rejected requests. */
import { request } from 'node:http';
import { assert, eventually, test } from '@meshrelay/testing';
import { RESOURCES } from '../src/http/resources.ts';
import type { ManagementServer } from '../src/mod.ts';
import { destination, istioCluster, kubernetesCluster, timeoutPolicy, virtualMesh } from './support/discovered.ts';
import { api, items, ManagementCluster } from './support/management.ts';
import { ScriptedAgent } from './support/scripted-agent.ts';

interface Event {
  readonly event: string;
  readonly data: { readonly id?: string; readonly [field: string]: unknown };
}

/** A stream of a collection's changes, as it arrives. */
async function watch(
  server: ManagementServer,
  resource: string,
): Promise<{ events: Event[]; [Symbol.dispose](): void }> {
  const stop = new AbortController();
  const response = await fetch(`http://127.0.0.1:${server.httpPort}/api/v1/${resource}?watch`, { signal: stop.signal });
  assert.match(response.headers.get('content-type') ?? '', 'text/event-stream');
  const events: Event[] = [];
  const read = async (): Promise<void> => {
    let rest = '';
    for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      const parts = (rest + chunk).split('\n\n');
      rest = parts.pop() ?? '';
      for (const part of parts) {
        const [, event = '', data = ''] = /^event: (.*)\ndata: (.*)$/s.exec(part) ?? [];
        events.push({ event, data: JSON.parse(data) });
      }
    }
  };
  read().catch(() => undefined);
  return { events, [Symbol.dispose]: () => stop.abort() };
}

async function oneCluster() {
  const cleanup = new AsyncDisposableStack();
  const management = cleanup.use(await ManagementCluster.start(['c1'], [virtualMesh('vm', ['c1'])]));
  const server = cleanup.use(await management.startServer());
  const agent = cleanup.use(new ScriptedAgent().push(...istioCluster('c1', 1)));
  const dial = await management.enrol(server, 'c1');
  return { management, server, agent, dial, [Symbol.asyncDispose]: () => cleanup.disposeAsync() };
}

test('each collection streams its present items, then changes', async () => {
  await using fleet = await oneCluster();
  const { management, server, agent, dial } = fleet;
  const names = Object.keys(RESOURCES);
  const streams = new Map<string, Awaited<ReturnType<typeof watch>>>();
  using cleanup = new DisposableStack();
  for (const name of names) streams.set(name, cleanup.use(await watch(server, name)));
  const last = (name: string, id: string): Event | undefined =>
    streams.get(name)?.events.findLast(({ data }) => data.id === id);
  for (const name of names)
    await eventually(`${name} are synced`, () => streams.get(name)?.events.some(({ event }) => event === 'synced'));
  assert.is(last('clusters', 'c1')?.data['connected'], false);

  agent.connect(dial);
  await eventually('the cluster is connected', () => last('clusters', 'c1')?.data['state'] === 'CONNECTED');
  await eventually('and synced', () => last('clusters', 'c1')?.data['complete'] === true);
  await eventually('its mesh', () => last('meshes', 'istiod-istio-system-c1')?.event === 'set');
  await eventually('its workload', () => last('workloads', 'reviews-bookinfo-c1-deployment')?.event === 'set');
  await eventually('its service', () => last('destinations', 'reviews-bookinfo-c1')?.event === 'set');
  management.create(timeoutPolicy('slow', 'c1'));
  await eventually(
    'the policy',
    () => last('policies', '_/TrafficPolicy/meshrelay/slow')?.data['state'] === 'ACCEPTED',
  );
  const output = 'c1/networking.istio.io/VirtualService/bookinfo/meshrelay-reviews';
  await eventually('its output', () => last('outputs', output)?.event === 'set');

  management.delete(timeoutPolicy('slow', 'c1'));
  await eventually('the policy is gone', () => last('policies', '_/TrafficPolicy/meshrelay/slow')?.event === 'delete');
  await eventually('its output is gone', () => last('outputs', output)?.event === 'delete');
  agent.remove(destination('c1', 'reviews', 1));
  await eventually('the service is gone', () => last('destinations', 'reviews-bookinfo-c1')?.event === 'delete');
  management.delete(kubernetesCluster('c1'));
  await eventually('the cluster is gone', () => last('clusters', 'c1')?.event === 'delete');
});

test('ids select items, and the last id of a page selects the next page', async () => {
  await using fleet = await oneCluster();
  const { management, server, agent, dial } = fleet;
  agent.push(destination('c1', 'ratings', 1));
  agent.connect(dial);
  management.create(timeoutPolicy('slow', 'c1'));
  management.create(timeoutPolicy('slow-too', 'c1', 'ratings'));
  await eventually('there are outputs', async () => (await items(server, 'outputs')).length > 1);
  // The cluster's state still changes for a moment after its first outputs.
  for (const name of Object.keys(RESOURCES))
    await eventually(`${name} by id`, async () => {
      for (const item of await items(server, name)) assert.equal(await api(server, `/${name}/${item['id']}`), item);
      return true;
    });
  const all = (await items(server, 'outputs')).map(({ id }) => id);
  const first = (await api(server, '/outputs?limit=1')) as { items: Array<{ id: string }>; next: string };
  assert.equal(
    first.items.map(({ id }) => id),
    [all[0]],
  );
  const rest = (await api(server, `/outputs?after=${first.next}`)) as { items: Array<{ id: string }>; next?: string };
  assert.equal(
    rest.items.map(({ id }) => id),
    all.slice(1),
  );
  assert.is(rest.next, undefined);
  for (const limit of ['-1', '0', 'abc', '1.5', '']) {
    const response = await fetch(`http://127.0.0.1:${server.httpPort}/api/v1/outputs?limit=${limit}`);
    assert.is(response.status, 400, limit);
    assert.match(((await response.json()) as { error: string }).error, /^limit: /);
  }
});

test('explain returns a document, or the reason why it has none', async () => {
  await using fleet = await oneCluster();
  const { management, server, agent, dial } = fleet;
  agent.connect(dial);
  management.create(timeoutPolicy('slow', 'c1'));
  // Other outputs precede the policy's, which waits for its order in the ledger.
  const given = async (): Promise<readonly [string, number | undefined]> => {
    const policy = (await api(server, '/explain/trafficpolicy/slow')) as {
      about: string;
      targets?: Array<{ effects: object[] }>;
    };
    return [policy.about, policy.targets?.[0]?.effects.length];
  };
  await eventually('the policy gives an output', async () => (await given()).join() === 'policy,1');
  const output = (await api(server, '/explain/VirtualService/c1/bookinfo/meshrelay-reviews')) as { about: string };
  assert.is(output.about, 'output');
  const missing = await ask(server.httpPort, '/api/v1/explain/trafficpolicy/slaw', { host: 'localhost' });
  assert.is(missing.status, 404);
  assert.equal((JSON.parse(missing.body) as { candidates: string[] }).candidates, ['TrafficPolicy/_/meshrelay/slow']);
  const unclear = await ask(server.httpPort, '/api/v1/explain/meshrelay-reviews', { host: 'localhost' });
  assert.is(unclear.status, 200);
  management.create(timeoutPolicy('reviews', 'c1', 'ratings'));
  await eventually('the other policy', async () => (await items(server, 'policies')).length === 3);
  const two = await ask(server.httpPort, '/api/v1/explain/reviews', { host: 'localhost' });
  assert.equal([two.status, (JSON.parse(two.body) as { candidates: string[] }).candidates.length], [409, 2]);
});

/** Requests any path and Host, unlike fetch. */
function ask(port: number, path: string, { host, method = 'GET' }: { host?: string; method?: string } = {}) {
  return new Promise<{ status: number; body: string }>((answer, failed) => {
    const headers = host === undefined ? {} : { host };
    request({ host: '127.0.0.1', port, path, method, headers }, (response) => {
      let body = '';
      response.setEncoding('utf8').on('data', (chunk) => {
        body += chunk;
      });
      response.on('end', () => answer({ status: response.statusCode ?? 0, body }));
    })
      .on('error', failed)
      .end();
  });
}

test('it is read-only, serves this machine only, and rejects unknown paths', async () => {
  await using fleet = await oneCluster();
  const { httpPort } = fleet.server;
  for (const method of ['POST', 'PUT', 'PATCH', 'DELETE'])
    for (const path of ['/api/v1/clusters', '/api/v1/clusters/c1', '/'])
      assert.is((await ask(httpPort, path, { method })).status, 405);
  for (const host of ['evil.example', 'localhost.evil.example:8090', '127.0.0.1.evil.example', '10.0.0.1'])
    assert.is((await ask(httpPort, '/api/v1/clusters', { host })).status, 403, `Host: ${host}`);
  for (const host of ['localhost:8090', '127.0.0.1', '[::1]:8090'])
    assert.is((await ask(httpPort, '/api/v1/clusters', { host })).status, 200, host);
  for (const path of [
    '/',
    '/api',
    '/api/v2',
    '/api/v1/secrets',
    '/api/v1/clusters/../../etc/passwd',
    '/api/v1/clusters/%2e%2e',
    '/api/v1/outputs/a/b',
    '/api/v1/policies/__proto__',
  ])
    assert.is((await ask(httpPort, path)).status, 404, path);
});

test('the API refuses to listen on reachable addresses without authentication', async () => {
  await using management = await ManagementCluster.start();
  try {
    await using _server = await management.startServer({ http: { listen: '0.0.0.0:0' } });
    assert.unreachable();
  } catch (error) {
    assert.match((error as Error).message, 'http.listen: other machines can reach 0.0.0.0');
  }
});

test('a server in safe mode is ready, one that drains is not', async () => {
  await using management = await ManagementCluster.start(['c1']);
  let port = 0;
  {
    await using server = await management.startServer();
    port = server.healthPort;
    const ready = await eventually('it is ready', async () => {
      const response = await fetch(`http://127.0.0.1:${port}/readyz`);
      return response.status === 200 && response.json();
    });
    assert.equal(ready, { ready: true, failing: {} });
    const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
    assert.match(text, /meshrelay_certificate_expiry_timestamp_seconds\{certificate="server"\} \d{10}/);
  }
  assert.is(management.logged('management server ended').length, 1);
  await fetch(`http://127.0.0.1:${port}/readyz`).then(
    () => assert.unreachable('it still listens'),
    () => undefined,
  );
});

test.run();
