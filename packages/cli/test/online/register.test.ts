/** Registering a cluster: which objects it leaves in both clusters, step by step, and which it does not. */

import { type KubeConnection, meshrelayKind, type SecretData, Secrets, secretKind } from '@meshrelay/kube';
import { TOKEN_SECRET } from '@meshrelay/relay-core';
import { assert, test } from '@meshrelay/testing';
import { type Registration, registerCluster } from '../../src/online/register.ts';
import { revokeCluster } from '../../src/online/revoke-cluster.ts';
import {
  actAsAgent,
  managementCluster,
  NAMESPACE,
  ROOT_CA,
  type TestCluster,
  workloadCluster,
} from '../support/clusters.ts';

async function readSecret(connection: KubeConnection, name: string): Promise<SecretData | undefined> {
  return (await new Secrets(connection, NAMESPACE).read(name))?.data;
}
const NOW = new Date('2026-01-01T00:00:00Z');
const HOUR = 3_600_000;

interface Reported {
  readonly steps: string[];
  readonly run: (more?: Partial<Registration>) => Promise<void>;
}

function registering(management: TestCluster, workload: TestCluster): Reported {
  const steps: string[] = [];
  return {
    steps,
    run: (more = {}) =>
      registerCluster({
        cluster: 'east',
        management: management.connection,
        workload: workload.connection,
        namespace: NAMESPACE,
        tokenLifetime: HOUR,
        timeout: 10_000,
        now: () => NOW,
        step: (text) => steps.push(text),
        startAgent: async () => {
          await actAsAgent({ management, workload }, more.cluster ?? 'east', NOW);
          return 'agent started';
        },
        ...more,
      }),
  };
}

async function records(management: TestCluster): Promise<Array<Record<string, unknown>>> {
  const data = await readSecret(management.connection, 'relay-tokens');
  return JSON.parse(data?.['records.json'] ?? '[]') as Array<Record<string, unknown>>;
}

async function rejection(promise: Promise<unknown>): Promise<Error> {
  const outcome = await promise.then(
    () => undefined,
    (error: unknown) => error,
  );
  assert.instance(outcome, Error);
  return outcome as Error;
}

test('reports each step after it, and leaves no token behind', async () => {
  await using management = await managementCluster();
  await using workload = await workloadCluster();
  const { steps, run } = registering(management, workload);
  await run({ clusterDomain: 'east.example' });
  assert.equal(steps, [
    'root CA copied to meshrelay/relay-root-tls-secret',
    'token copied to meshrelay/relay-identity-token-secret, valid once for this cluster',
    'agent started',
    'KubernetesCluster meshrelay/east created',
    'client certificate issued, in meshrelay/relay-client-tls-secret',
    'token removed',
  ]);
  const root = await readSecret(workload.connection, 'relay-root-tls-secret');
  assert.equal(root, { 'ca.crt': ROOT_CA });
  assert.is(await readSecret(workload.connection, TOKEN_SECRET), undefined);
  const declared = await management.connection
    .objects(meshrelayKind('KubernetesCluster'))
    .read({ namespace: NAMESPACE, name: 'east' });
  assert.equal(declared?.spec, { clusterDomain: 'east.example' });
});

test('stores an expiring hash in the management cluster, never the token', async () => {
  await using management = await managementCluster();
  await using workload = await workloadCluster();
  const { run } = registering(management, workload);
  let token = '';
  await run({
    startAgent: async () => {
      token = (await readSecret(workload.connection, TOKEN_SECRET))?.['token'] ?? '';
      await actAsAgent({ management, workload }, 'east', NOW);
      return 'agent started';
    },
  });
  assert.match(token, /^mrt_/);
  const [record, ...more] = await records(management);
  assert.equal(more, []);
  assert.is(record?.['cluster'], 'east');
  assert.is(record?.['expiresAt'], new Date(NOW.getTime() + HOUR).toISOString());
  const everything = JSON.stringify(management.sim.snapshot());
  assert.not.match(everything, token);
  assert.not.match(everything, btoa(token));
});

test('can be repeated: existing objects stay, and only the last token is valid', async () => {
  await using management = await managementCluster();
  await using workload = await workloadCluster();
  const first = registering(management, workload);
  await first.run({ timeout: 0, startAgent: async () => 'agent started' });
  const again = registering(management, workload);
  await again.run();
  assert.is(again.steps[3], 'KubernetesCluster meshrelay/east already exists');
  assert.is(again.steps.at(-1), 'token removed');
  const good = (await records(management)).filter((record) => record['revokedAt'] === undefined);
  assert.is(good.length, 1);
});

test('keeps a token for each of many clusters that register at once', async () => {
  await using management = await managementCluster();
  const names = ['a', 'b', 'c', 'd'];
  await Promise.all(
    names.map(async (cluster) => {
      await using workload = await workloadCluster();
      await registering(management, workload).run({ cluster });
    }),
  );
  assert.equal((await records(management)).map((record) => record['cluster']).sort(), names);
});

test('does not wait with a timeout of 0', async () => {
  await using management = await managementCluster();
  await using workload = await workloadCluster();
  const { steps, run } = registering(management, workload);
  await run({ timeout: 0, startAgent: async () => 'agent not started' });
  assert.is(steps.at(-1), 'KubernetesCluster meshrelay/east created');
  assert.ok(await readSecret(workload.connection, TOKEN_SECRET));
});

test('reports what it waited for in vain', async () => {
  await using management = await managementCluster();
  await using workload = await workloadCluster();
  const { run } = registering(management, workload);
  const error = await rejection(run({ timeout: 1, startAgent: async () => 'agent not started' }));
  assert.is(error.name, 'InputError');
  assert.match(error.message, 'timed out after 0.001 s waiting until the agent of east has its client certificate');
  assert.match(error.message, 'see its log and the log of the management server');
});

test('stops waiting on its signal', async () => {
  await using management = await managementCluster();
  await using workload = await workloadCluster();
  const stop = new AbortController();
  const { run } = registering(management, workload);
  const error = await rejection(
    run({
      signal: stop.signal,
      startAgent: async () => {
        stop.abort();
        return 'agent not started';
      },
    }),
  );
  assert.is(error.name, 'AbortError');
});

test('requires a started management server, and writes nothing', async () => {
  await using management = await managementCluster({ started: false });
  await using workload = await workloadCluster();
  const before = JSON.stringify([management.sim.snapshot(), workload.sim.snapshot()]);
  const error = await rejection(registering(management, workload).run());
  assert.match(error.message, 'the management cluster has no Secret meshrelay/relay-root-tls-secret');
  assert.match(error.message, 'start the management server first');
  assert.is(JSON.stringify([management.sim.snapshot(), workload.sim.snapshot()]), before);
});

for (const cluster of ['East', 'a_b', '', '../a', 'a'.repeat(64), 'a/b', 'us.east']) {
  test(`rejects the name ${JSON.stringify(cluster.slice(0, 20))} and writes nothing`, async () => {
    const unused = {} as TestCluster;
    const error = await rejection(registering(unused, unused).run({ cluster }));
    assert.is(error.name, 'InputError');
    assert.match(error.message, `"${cluster}" is not a cluster name`);
  });
}

test('a cluster whose agent has a valid certificate gets no token, and a message', async () => {
  await using management = await managementCluster();
  await using workload = await workloadCluster();
  await registering(management, workload).run();
  const before = await records(management);
  const again = registering(management, workload);
  await again.run({ startAgent: async () => 'agent runs' });
  assert.equal(again.steps, [
    'root CA copied to meshrelay/relay-root-tls-secret',
    'its agent has a client certificate, valid until 2026-01-31T00:00:00.000Z; it needs no token (--replace issues a new one)',
    'agent runs',
    'KubernetesCluster meshrelay/east already exists',
  ]);
  assert.equal(await records(management), before, 'no token stays open');
  assert.is(await readSecret(workload.connection, TOKEN_SECRET), undefined);
});

test('--replace waits for another certificate than the existing one', async () => {
  await using management = await managementCluster();
  await using workload = await workloadCluster();
  await registering(management, workload).run();
  const idle = registering(management, workload);
  const error = await rejection(idle.run({ replace: true, timeout: 1, startAgent: async () => 'agent idles' }));
  assert.match(error.message, 'until the agent of east has its client certificate');
  const again = registering(management, workload);
  await again.run({ replace: true });
  assert.is(again.steps.at(-1), 'token removed');
});

test('a revoked cluster waits for another certificate than the revoked one', async () => {
  await using management = await managementCluster();
  await using workload = await workloadCluster();
  await registering(management, workload).run();
  const { connection } = management;
  await revokeCluster({ management: connection, namespace: NAMESPACE, now: () => NOW }, 'east');
  const idle = registering(management, workload);
  const error = await rejection(idle.run({ timeout: 1, startAgent: async () => 'agent idles' }));
  assert.match(error.message, 'until the agent of east has its client certificate');
});

test('rejects a cluster whose agent has the name of another registered cluster, and writes nothing', async () => {
  await using management = await managementCluster();
  await using workload = await workloadCluster();
  await registering(management, workload).run();
  const before = JSON.stringify([management.sim.snapshot(), workload.sim.snapshot()]);
  const error = await rejection(registering(management, workload).run({ cluster: 'other' }));
  assert.is(error.name, 'InputError');
  assert.match(
    error.message,
    'is registered as east: Secret meshrelay/relay-client-tls-secret has the certificate of that name',
  );
  assert.match(error.message, 'meshctl cluster deregister east');
  assert.is(JSON.stringify([management.sim.snapshot(), workload.sim.snapshot()]), before);
});

test('accepts a cluster under another name once the first is deregistered', async () => {
  await using management = await managementCluster();
  await using workload = await workloadCluster();
  await registering(management, workload).run();
  await management.connection
    .objects(meshrelayKind('KubernetesCluster'))
    .delete({ namespace: NAMESPACE, name: 'east' });
  const { steps, run } = registering(management, workload);
  await run({ cluster: 'other' });
  assert.is(steps.at(-1), 'token removed');
});

test('rejects a name for which another cluster has a valid certificate, and reports how to replace it', async () => {
  await using management = await managementCluster();
  await using first = await workloadCluster();
  await using second = await workloadCluster();
  await registering(management, first).run();
  const error = await rejection(registering(management, second).run());
  assert.match(error.message, 'east has a certificate that is valid until 2026-01-31T00:00:00.000Z');
  assert.match(error.message, 'Secret meshrelay/relay-client-tls-secret of this cluster does not have its key');
  assert.match(error.message, '--replace');
  await registering(management, second).run({ replace: true });
});

test('rejects a cluster that has a token for another name which its agent may still use', async () => {
  await using management = await managementCluster();
  await using workload = await workloadCluster();
  const { run } = registering(management, workload);
  await run({ timeout: 0, startAgent: async () => 'agent not started' });
  const before = JSON.stringify([management.sim.snapshot(), workload.sim.snapshot()]);
  const error = await rejection(run({ cluster: 'other', timeout: 0 }));
  assert.match(error.message, 'is being registered as east: Secret meshrelay/relay-identity-token-secret has its');
  assert.match(error.message, 'meshctl token revoke east');
  assert.is(JSON.stringify([management.sim.snapshot(), workload.sim.snapshot()]), before);
  await run({ cluster: 'other', timeout: 0, now: () => new Date(NOW.getTime() + 2 * HOUR) });
});

for (const tokenLifetime of [99 * HOUR, 0])
  test(`rejects a token for ${tokenLifetime / HOUR}h before any write`, async () => {
    await using management = await managementCluster();
    await using workload = await workloadCluster();
    const error = await rejection(registering(management, workload).run({ tokenLifetime }));
    assert.match(error.message, 'the lifetime of such a token is above 0 and at most 24h');
    assert.is(await readSecret(workload.connection, 'relay-root-tls-secret'), undefined);
  });

test('a repeated call with another domain changes the existing registration', async () => {
  await using management = await managementCluster();
  await using workload = await workloadCluster();
  const { steps, run } = registering(management, workload);
  await run();
  await run({ clusterDomain: 'east.example' });
  assert.is(steps.at(-1), 'KubernetesCluster meshrelay/east already exists; its clusterDomain is east.example now');
  const where = { namespace: NAMESPACE, name: 'east' };
  const { spec } = (await management.connection.objects(meshrelayKind('KubernetesCluster')).read(where)) ?? {};
  assert.equal(spec, { clusterDomain: 'east.example' });
});

test('rejects a cluster that the server connects to by a kubeconfig, since no server would admit an agent', async () => {
  await using management = await managementCluster();
  await using workload = await workloadCluster();
  const { run } = registering(management, workload);
  await run({ timeout: 0 });
  const where = { namespace: NAMESPACE, name: 'east' };
  const clusters = management.connection.objects(meshrelayKind('KubernetesCluster'));
  await clusters.merge(where, { spec: { secretName: 'east-kubeconfig' } });
  const error = await rejection(run());
  assert.match(error.message, 'the server reaches east by the kubeconfig in Secret meshrelay/east-kubeconfig');
  assert.match(error.message, 'remove spec.secretName of KubernetesCluster meshrelay/east first');
});

test('changes nothing else in an existing Secret', async () => {
  await using management = await managementCluster();
  await using workload = await workloadCluster();
  const reported = registering(management, workload);
  await reported.run();
  const secrets = workload.connection.objects(secretKind);
  const key = { namespace: NAMESPACE, name: 'relay-root-tls-secret' };
  await secrets.merge(key, { data: { note: btoa('retained'), 'ca.crt': btoa('old') } });
  await reported.run();
  assert.equal(await readSecret(workload.connection, key.name), { 'ca.crt': ROOT_CA, note: 'retained' });
});

test.run();
