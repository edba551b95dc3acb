/** Where replicas are (T28): pods by their labels, listed for many questions together. */
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

/** A cluster whose pods are listed as a test says. */
class World {
  pods: KubeObject[] = [pod('server-0', '10.0.0.1'), pod('server-1', '10.0.0.2')];
  lists = 0;
  now = 0;
  trouble: Error | undefined;
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
    if (this.trouble !== undefined) throw this.trouble;
    return this.pods;
  }
}

const problemOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'no problem',
    (error: Error) => error.message,
  );

test('others are pods with an address that have not ended; a pod may say its port', async () => {
  const world = new World();
  world.pods.push(
    pod('server-4', '10.0.0.5', { port: 1234 }),
    pod('server-2', ''),
    pod('server-3', '10.0.0.4', { phase: 'Failed' }),
    pod('server-5', 'localhost'),
  );
  assert.equal(await findPeers(world.options), [
    { replica: 'server-1', address: '10.0.0.2', port: 9979 },
    { replica: 'server-4', address: '10.0.0.5', port: 1234 },
  ]);
});

test('a pod that is not among those with its labels cannot know the others; what is no pod can', async () => {
  const world = new World();
  world.pods = [pod('server-1', '10.0.0.2')];
  assert.match(await problemOf(findPeers(world.options)), /app=server is this replica, server-0; set peers\.selector/);
  assert.is((await findPeers({ ...world.options, inCluster: false })).length, 1);
});

test('those who ask at once share a list, which counts for five seconds', async () => {
  const world = new World();
  const [one, other] = await Promise.all([world.directory.named('server-1'), world.directory.named('server-1')]);
  assert.equal([one?.address, other?.address, world.lists], ['10.0.0.2', '10.0.0.2', 1]);
  world.now = 4_999;
  await world.directory.named('server-1');
  assert.is(world.lists, 1);
  world.now = 5_000;
  await world.directory.named('server-1');
  assert.is(world.lists, 2);
});

test('whoever is missing is looked for again, and not by every question', async () => {
  const world = new World();
  assert.match(await problemOf(world.directory.named('server-2')), /no pod server-2 with an address.*app=server/);
  await problemOf(world.directory.named('server-2'));
  assert.is(world.lists, 1);
  world.pods.push(pod('server-2', '10.0.0.3'));
  world.now = 500;
  assert.is((await world.directory.named('server-2')).address, '10.0.0.3');
  assert.is(world.lists, 2);
});

test('after one was not where it was said to be pods are listed again, soon and not for every question', async () => {
  const world = new World();
  await world.directory.named('server-1');
  world.pods[1] = pod('server-1', '10.0.0.9');
  world.directory.doubt();
  assert.is((await world.directory.named('server-1')).address, '10.0.0.2');
  world.now = 500;
  assert.is((await world.directory.named('server-1')).address, '10.0.0.9');
  assert.is(world.lists, 2);
});

test('a list that failed is nobody’s', async () => {
  const world = new World();
  world.trouble = new Error('forbidden');
  assert.is(await problemOf(world.directory.named('server-1')), 'forbidden');
  world.trouble = undefined;
  assert.is((await world.directory.named('server-1')).address, '10.0.0.2');
});

test.run();
