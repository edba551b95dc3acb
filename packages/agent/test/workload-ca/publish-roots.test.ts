/**
 * Roots are published where the server reads them, by the leader alone, and never over a ConfigMap of another owner.
 */
import { FencedError } from '@meshrelay/cluster-controllers';
import { OWNER_LABEL, WORKLOAD_ROOTS, WORKLOAD_ROOTS_KEY } from '@meshrelay/relay-core';
import { createLogger } from '@meshrelay/telemetry';
import { NAMESPACE, TestCluster } from '@meshrelay/test-cluster';
import { assert, eventually, ManualClock, test } from '@meshrelay/testing';
import { RootsPublisher } from '../../src/workload-ca/publish-roots.ts';
import { readSigningCa, type SigningCa } from '../../src/workload-ca/signing-ca.ts';
import { LogBook } from '../harness/agents.ts';
import { intermediate, NOW, root } from './cas.ts';

const [one, other] = [
  readSigningCa(await intermediate(await root()), NOW),
  readSigningCa(await intermediate(await root()), NOW),
];

class Served {
  ca: SigningCa | undefined;
  #changed = (): void => {};

  listen(changed: () => void): () => void {
    this.#changed = changed;
    return () => {};
  }

  use(ca: SigningCa): void {
    this.ca = ca;
    this.#changed();
  }
}

const rootsIn = (cluster: TestCluster): unknown => {
  const found = cluster.get('ConfigMap', WORKLOAD_ROOTS, NAMESPACE, 'v1');
  return (found?.['data'] as Record<string, string> | undefined)?.[WORKLOAD_ROOTS_KEY];
};

function reporting(cluster: TestCluster, ca: Served, log: LogBook, check = (): void => {}): RootsPublisher {
  const logger = createLogger({ name: 'agent', level: 'debug', destination: log });
  const { connection } = cluster;
  return new RootsPublisher({
    connection,
    namespace: NAMESPACE,
    ca,
    check,
    clock: new ManualClock(),
    random: () => 0.5,
    logger,
  });
}

test('the current roots are published, and new ones as soon as they are', async () => {
  await using cluster = await TestCluster.start();
  const ca = new Served();
  await using publisher = reporting(cluster, ca, new LogBook());
  ca.use(one);
  await eventually('the roots are published', () => rootsIn(cluster) === one.rootsPem);
  await eventually('and it knows', () => publisher.sent);
  ca.use(other);
  await eventually('the others', () => rootsIn(cluster) === other.rootsPem);
});

test('a ConfigMap of another owner stays unchanged, and a replica without the Lease writes none', async () => {
  await using cluster = await TestCluster.start();
  const log = new LogBook();
  const ca = new Served();
  ca.use(one);
  {
    let requested = false;
    await using _fenced = reporting(cluster, ca, log, () => {
      requested = true;
      throw new FencedError('another leads');
    });
    await eventually('it would write', () => requested);
    assert.is(rootsIn(cluster), undefined);
  }
  cluster.sim.objects.create({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: WORKLOAD_ROOTS, namespace: NAMESPACE },
    data: { [WORKLOAD_ROOTS_KEY]: 'of the user' },
  });
  await using publisher = reporting(cluster, ca, log);
  await eventually('the failure is logged', () => log.has('the roots of workloads cannot be published'));
  assert.is(rootsIn(cluster), 'of the user');
  assert.not.ok(publisher.sent);
  assert.is(cluster.get('ConfigMap', WORKLOAD_ROOTS, NAMESPACE, 'v1')?.metadata.labels?.[OWNER_LABEL], undefined);
});

test.run();
