/** Discovery of replicas (T28): pods by their labels, with one list for many calls. */
import type { KubeObject } from '@meshrelay/api';
import { assert, test } from '@meshrelay/testing';
import { findPeers, PeerDirectory } from '../src/mod.ts';

function pod(name: string, podIP: string, { phase = 'Running', port = 0 } = {}): KubeObject {
  const ports = port === 0 ? [] : [{ name: 'peers', containerPort: port }];
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, namespace: 'meshrelay' },
    spec: { containers: [{ ports }] },
    status: { podIP, phase },
  } as KubeObject;
}

/** A cluster with the pods that a test sets. */
class Fixture {
  pods: KubeObject[] = [pod('server-0', '10.0.0.1'), pod('server-1', '10.0.0.2')];
  lists = 0;
  now = 0;
  failure: Error | undefined;
  readonly options = {
    connection: { objects: () => ({ list: () => this.#list() }) } as never,
    namespace: 'meshrelay',
    selector: 'app=server',
    replica: 'server-0',
    port: 9979,
    inCluster: true,
    now: () => this.now,
  };
  readonly directory = new PeerDirectory(this.options);

  async #list(): Promise<KubeObject[]> {
    this.lists++;
    if (this.failure !== undefined) throw this.failure;
    return this.pods;
  }
}

const problemOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'no problem',
    (error: Error) => error.message,
  );

test('other replicas are running pods with an address; a pod may name its port', async () => {
  const fixture = new Fixture();
  fixture.pods.push(
    pod('server-4', '10.0.0.5', { port: 1234 }),
    pod('server-2', ''),
    pod('server-3', '10.0.0.4', { phase: 'Failed' }),
    pod('server-5', 'localhost'),
  );
  assert.equal(await findPeers(fixture.options), [
    { replica: 'server-1', address: '10.0.0.2', port: 9979 },
    { replica: 'server-4', address: '10.0.0.5', port: 1234 },
  ]);
});

test('a pod without the labels cannot find others; a process outside a pod can', async () => {
  const fixture = new Fixture();
  fixture.pods = [pod('server-1', '10.0.0.2')];
  assert.match(
    await problemOf(findPeers(fixture.options)),
    /app=server is this replica, server-0; set peers\.selector/,
  );
  assert.is((await findPeers({ ...fixture.options, inCluster: false })).length, 1);
});

test('concurrent callers share a list, which is valid for five seconds', async () => {
  const fixture = new Fixture();
  const [one, other] = await Promise.all([fixture.directory.named('server-1'), fixture.directory.named('server-1')]);
  assert.equal([one?.address, other?.address, fixture.lists], ['10.0.0.2', '10.0.0.2', 1]);
  fixture.now = 4_999;
  await fixture.directory.named('server-1');
  assert.is(fixture.lists, 1);
  fixture.now = 5_000;
  await fixture.directory.named('server-1');
  assert.is(fixture.lists, 2);
});

test('a missing replica causes a new list, but not for every call', async () => {
  const fixture = new Fixture();
  assert.match(await problemOf(fixture.directory.named('server-2')), /no pod server-2 with an address.*app=server/);
  await problemOf(fixture.directory.named('server-2'));
  assert.is(fixture.lists, 1);
  fixture.pods.push(pod('server-2', '10.0.0.3'));
  fixture.now = 500;
  assert.is((await fixture.directory.named('server-2')).address, '10.0.0.3');
  assert.is(fixture.lists, 2);
});

test('a replica that is not at its address causes a new list, soon but not for every call', async () => {
  const fixture = new Fixture();
  await fixture.directory.named('server-1');
  fixture.pods[1] = pod('server-1', '10.0.0.9');
  fixture.directory.uncertainty();
  assert.is((await fixture.directory.named('server-1')).address, '10.0.0.2');
  fixture.now = 500;
  assert.is((await fixture.directory.named('server-1')).address, '10.0.0.9');
  assert.is(fixture.lists, 2);
});

test('a failed list is not cached', async () => {
  const fixture = new Fixture();
  fixture.failure = new Error('forbidden');
  assert.is(await problemOf(fixture.directory.named('server-1')), 'forbidden');
  fixture.failure = undefined;
  assert.is((await fixture.directory.named('server-1')).address, '10.0.0.2');
});

test.run();
