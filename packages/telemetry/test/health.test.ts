/** Answers to probes and scrapers. */
import { assert, test } from '@meshrelay/testing';
import { createMetrics, type HealthOptions, serveHealth } from '../src/mod.ts';

async function serving(options: Partial<HealthOptions>) {
  const server = await serveHealth({ host: '127.0.0.1', port: 0, ...options });
  const ask = async (path: string, init?: RequestInit) => {
    const response = await fetch(`http://127.0.0.1:${server.port}${path}`, init);
    return { status: response.status, body: await response.text(), headers: response.headers };
  };
  return { ask, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
}

test('healthz answers while the process lives, ready or not', async () => {
  await using server = await serving({ checks: { relay: () => 'not connected yet' } });
  const { status, body } = await server.ask('/healthz?verbose');
  assert.is(status, 200);
  assert.is(body, 'ok\n');
});

test('readyz names each failing check with its reason', async () => {
  let connected = false;
  await using server = await serving({
    checks: {
      relay: () => connected || 'not connected yet',
      store: () => Promise.resolve(true as const),
      ledger: () => {
        if (!connected) throw new Error('403');
        return true;
      },
    },
  });
  const before = await server.ask('/readyz');
  assert.is(before.status, 503);
  assert.equal(JSON.parse(before.body), {
    ready: false,
    failing: { relay: 'not connected yet', ledger: 'check failed: 403' },
  });
  connected = true;
  const after = await server.ask('/readyz');
  assert.is(after.status, 200);
  assert.equal(JSON.parse(after.body), { ready: true, failing: {} });
});

test('metrics are served if the program has any', async () => {
  const metrics = createMetrics();
  metrics.counter({ name: 'a_total', help: 'A.' }).inc();
  await using server = await serving({ metrics });
  const { body, headers } = await server.ask('/metrics');
  assert.match(body, 'meshrelay_a_total 1');
  assert.match(headers.get('content-type') ?? '', 'text/plain; version=0.0.4');
  await using bare = await serving({});
  assert.is((await bare.ask('/metrics')).status, 404);
});

test('unknown paths and methods other than GET and HEAD are rejected', async () => {
  await using server = await serving({});
  for (const path of ['/', '/healthz/', '//healthz', '/healthz/../metrics', '/%2e%2e', '/constructor', '/__proto__']) {
    assert.is((await server.ask(path)).status, 404, path);
  }
  const post = await server.ask('/healthz', { method: 'POST', body: 'x' });
  assert.is(post.status, 405);
  assert.is(post.headers.get('allow'), 'GET, HEAD');
  assert.is((await server.ask('/healthz', { method: 'HEAD' })).status, 200);
});

test('a route that throws is answered 500, and the error goes to the program, not to the caller', async () => {
  const errors: string[] = [];
  await using server = await serving({
    routes: {
      '/snapshots/input': (_request, response) => void response.end('{}'),
      '/broken': () => Promise.reject(new Error('inner detail')),
    },
    onError: (error, path) => errors.push(`${path} ${error}`),
  });
  assert.is((await server.ask('/snapshots/input')).body, '{}');
  const { status, body } = await server.ask('/broken');
  assert.is(status, 500);
  assert.not.match(body, 'inner detail');
  assert.equal(errors, ['/broken Error: inner detail']);
});

test('a port in use is an error of the call', async () => {
  const first = await serveHealth({ host: '127.0.0.1', port: 0 });
  const rejection = await serveHealth({ host: '127.0.0.1', port: first.port }).catch((error: Error) => error.message);
  assert.match(String(rejection), /EADDRINUSE|AddrInUse|in use/);
  await first[Symbol.asyncDispose]();
});

test.run();
