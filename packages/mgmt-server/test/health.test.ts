/** Conditions of readiness. */

import { createMetrics, silentLogger } from '@meshrelay/telemetry';
import { assert, test } from '@meshrelay/testing';
import { readinessChecks, serveServerHealth } from '../src/health.ts';
import { snapshotRoutes } from '../src/snapshots.ts';

test('a server is ready when the management cluster is synced and the relay accepts connections', async () => {
  const unsyncedKinds = new Map([['KubernetesCluster', 'it has not been listed yet']]);
  let accepting = false;
  const broken = new AbortController();
  const checks = readinessChecks({ management: { unsyncedKinds }, accepting: () => accepting, broken: broken.signal });
  assert.is(await checks['management']?.(), 'not synced: KubernetesCluster: it has not been listed yet');
  assert.match(String(await checks['relay']?.()), 'accepts no connections');
  unsyncedKinds.clear();
  accepting = true;
  for (const check of Object.values(checks)) assert.is(await check(), true);
  broken.abort();
  assert.match(String(await checks['graph']?.()), 'accepts no more writes');
});

test('T12: this list is served without credentials; snapshots also check the location of the caller', async () => {
  const nothing = {} as never;
  await using health = await serveServerHealth({
    listen: { host: '127.0.0.1', port: 0 },
    metrics: createMetrics(),
    management: { unsyncedKinds: new Map() },
    accepting: () => true,
    broken: new AbortController().signal,
    routes: snapshotRoutes({ fleet: nothing, store: nothing }),
    logger: silentLogger,
  });
  assert.equal(health.paths, ['/healthz', '/metrics', '/readyz', '/snapshots/input', '/snapshots/output']);
  for (const path of ['/', '/api/v1', '/api/v1/clusters', '/snapshots', '/debug/pprof', '/__proto__', '/constructor']) {
    const { status } = await fetch(`http://127.0.0.1:${health.port}${path}`);
    assert.is(status, 404, path);
  }
  for (const method of ['POST', 'PUT', 'DELETE'])
    assert.is((await fetch(`http://127.0.0.1:${health.port}/readyz`, { method })).status, 405, method);
});

test.run();
