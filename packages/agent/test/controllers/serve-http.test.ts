/** T12: the complete list of what an agent serves over HTTP without credentials. */
import { createMetrics, silentLogger } from '@meshrelay/telemetry';
import { assert, test } from '@meshrelay/testing';
import { serveMetrics, serveReadiness } from '../../src/controllers/serve-http.ts';

const listen = { host: '127.0.0.1', port: 0 };
const facts = {
  config: { health: { listen }, stats: { listen } },
  status: { checks: {} },
  metrics: createMetrics(),
  logger: silentLogger,
} as unknown as Parameters<typeof serveReadiness>[0] & Parameters<typeof serveMetrics>[0];

for (const [serve, answered] of [
  [serveReadiness, ['/healthz', '/readyz']],
  [serveMetrics, ['/healthz', '/metrics', '/readyz']],
] as const) {
  test(`${serve.name} serves nothing else`, async () => {
    await using server = await serve(facts);
    assert.equal(server.paths, answered);
    for (const path of ['/', '/api/v1', '/logs', '/snapshots/input', '/config', '/debug', '/__proto__']) {
      const { status } = await fetch(`http://127.0.0.1:${server.port}${path}`);
      assert.is(status, 404, path);
    }
    for (const path of answered)
      assert.is((await fetch(`http://127.0.0.1:${server.port}${path}`, { method: 'POST' })).status, 405, path);
  });
}

test.run();
