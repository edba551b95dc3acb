/** What readiness depends on. */
import { assert, test } from '@meshrelay/testing';
import { readinessChecks } from '../src/health.ts';

test('a server is ready when the management cluster is known and the relay takes connections', async () => {
  const unknownKinds = new Map([['KubernetesCluster', 'it has not been listed yet']]);
  let accepting = false;
  const checks = readinessChecks({ management: { unknownKinds }, accepting: () => accepting });
  assert.is(await checks['management']?.(), 'not known in full: KubernetesCluster: it has not been listed yet');
  assert.match(String(await checks['relay']?.()), 'takes no connections');
  unknownKinds.clear();
  accepting = true;
  for (const check of Object.values(checks)) assert.is(await check(), true);
});

test.run();
