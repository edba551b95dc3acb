/** Held deletions through the whole server: nothing is deleted before a user approves exactly that. */
import type { KubeObject, KubernetesClusterStatus } from '@meshrelay/api';
import { APPROVE_ANNOTATION, CHANGED_BY_ANNOTATION, REQUEST_ANNOTATION } from '@meshrelay/relay-core';
import { assert, eventually, test } from '@meshrelay/testing';
import { destination, istioCluster, kubernetesCluster, workload } from './support/discovered.ts';
import { items, ManagementCluster } from './support/management.ts';
import { ScriptedAgent } from './support/scripted-agent.ts';

const ROUTE = 'VirtualService';
const names = Array.from({ length: 20 }, (_, index) => `s${index}`);
const services = names.flatMap((name) => [destination('c1', name, 1), workload('c1', name)]);

/** A timeout for all services, or for those of some namespaces. */
const policy = (...namespaces: readonly string[]): KubeObject => ({
  apiVersion: 'networking.meshrelay.dev/v1alpha1',
  kind: 'TrafficPolicy',
  metadata: { name: 'slow', namespace: 'meshrelay' },
  spec: {
    ...(namespaces.length === 0 ? {} : { destinationSelector: [{ kubeServiceMatcher: { namespaces } }] }),
    policy: { requestTimeout: '2s' },
  },
});

async function servedCluster() {
  const cleanup = new AsyncDisposableStack();
  const management = cleanup.use(await ManagementCluster.start(['c1']));
  const server = cleanup.use(await management.startServer());
  const agent = cleanup.use(new ScriptedAgent().push(...istioCluster('c1', 1), ...services));
  const dial = await management.enrol(server, 'c1');
  agent.connect(dial);
  management.create(policy());
  const cluster = kubernetesCluster('c1');
  const status = () => management.live<KubernetesClusterStatus>(cluster)?.status;
  const applied = (): number => agent.names(ROUTE).length;
  await eventually('all services have their route', () => applied() >= 20, { seen: applied });
  const approve = (digest: string): void => {
    const live = management.live(cluster);
    assert.ok(live !== undefined);
    const annotations = { [APPROVE_ANNOTATION]: digest, [CHANGED_BY_ANNOTATION]: 'alice', [REQUEST_ANNOTATION]: 'r-1' };
    management.update({ ...live, metadata: { ...live.metadata, annotations } });
  };
  const audited = () => management.logged('audit').filter(({ action }) => action === 'approve');
  return {
    management,
    server,
    agent,
    dial,
    cluster,
    status,
    applied,
    approve,
    audited,
    [Symbol.asyncDispose]: () => cleanup.disposeAsync(),
  };
}

test('an edit that removes nearly all outputs is held, reported, approved, and audited once', async () => {
  await using fleet = await servedCluster();
  const { management, server, cluster, status, applied, approve, audited } = fleet;
  const before = applied();
  management.update({ ...management.live(policy()), ...policy('elsewhere') } as KubeObject);
  await eventually('the status reports it', () => status()?.heldDeletions?.count === before, { seen: status });
  assert.is(applied(), before, 'nothing of it is deleted');
  assert.is(status()?.heldDeletions?.outputs.length, before);
  const metrics = await (await fetch(`http://127.0.0.1:${server.healthPort}/metrics`)).text();
  assert.match(metrics, `meshrelay_held_deletions ${before}`);
  const [shown] = await items(server, 'clusters');
  const { digest } = (shown?.['heldDeletions'] ?? {}) as { readonly digest?: string };
  assert.is(digest, status()?.heldDeletions?.digest);

  approve('0'.repeat(32));
  await eventually(
    'an approval of something else is refused',
    () => management.live(cluster)?.metadata.annotations?.[APPROVE_ANNOTATION] === undefined,
  );
  assert.is(applied(), before);
  assert.is(audited().length, 0);

  approve(status()?.heldDeletions?.digest ?? '');
  await eventually('what was approved goes', () => applied() === 0, { seen: applied });
  await eventually('nothing is held any more', () => status()?.heldDeletions === undefined, { seen: status });
  const [line] = audited();
  assert.equal([line?.['by'], line?.['cluster'], line?.['count'], line?.['requestId']], ['alice', 'c1', before, 'r-1']);
  assert.is(audited().length, 1);
  await eventually('an Event reports it', () => management.names('v1', 'Event').includes('c1.r-1'), {
    seen: () => management.names('v1', 'Event'),
  });
  await eventually(
    'the approval is used up',
    () => management.live(cluster)?.metadata.annotations?.[APPROVE_ANNOTATION] === undefined,
  );
});

test('deleting a policy deletes its outputs at once', async () => {
  await using fleet = await servedCluster();
  const { management, status, applied } = fleet;
  management.delete(policy());
  await eventually('they go', () => applied() === 0, { seen: applied });
  assert.is(status()?.heldDeletions, undefined);
  assert.is(management.logged('no deletion is held now').length, 0, 'nothing was ever held');
});

test('a restarted agent that finds no objects causes no deletion', async () => {
  await using fleet = await servedCluster();
  const { agent, dial, status, applied } = fleet;
  const before = applied();
  agent.disconnect();
  using empty = new ScriptedAgent(2).push();
  for (const [id, object] of agent.applied) empty.applied.set(id, object);
  empty.connect(dial);
  await eventually('it is held', () => (status()?.heldDeletions?.count ?? 0) >= before, { seen: status });
  assert.is(empty.names(ROUTE).length, before);
});

test.run();
