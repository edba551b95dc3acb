/** The keys of a group in its Secret: made by the first, read by all, replaced while in use. In Node alone, as every test at the simulated API server. */
import { connect, type KubeConnection, Secrets, systemClock } from '@meshrelay/kube';
import { startKubeSim } from '@meshrelay/kube-sim';
import { silentLogger } from '@meshrelay/telemetry';
import { assert, eventually, test } from '@meshrelay/testing';
import { followPeerKeys, maintainPeerKeys, type PeerGroup, PeerKeyring, type PeerKeys } from '../src/mod.ts';

const group: PeerGroup = { secret: 'some-peers', name: 'some-peers.meshrelay' };
const namespace = 'meshrelay';
const DAY = 24 * 3_600_000;

/** A cluster with nothing in it. */
async function cluster() {
  const stack = new AsyncDisposableStack();
  const objects = [{ apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } }];
  const sim = stack.use(await startKubeSim({ name: 'management', controllers: false, objects }));
  const connection: KubeConnection = stack.use(connect({ text: sim.kubeconfig }));
  const secrets = new Secrets(connection, namespace);
  return { connection, secrets, [Symbol.asyncDispose]: () => stack.disposeAsync() };
}

test('of several who make keys at once all have those of the first', async () => {
  await using fixture = await cluster();
  const { secrets } = fixture;
  const keyrings = [1, 2, 3].map(() => new PeerKeyring({ group, secrets, now: () => new Date() }));
  assert.is(keyrings[0]?.keys, undefined);
  await Promise.all(keyrings.map((keyring) => keyring.upkeep()));
  assert.is(new Set(keyrings.map(({ keys }) => keys?.token)).size, 1);
  assert.is(keyrings[0]?.keys?.name, group.name);
});

test('keys in the second half of their life are replaced; whoever may not write does not', async () => {
  await using fixture = await cluster();
  const { secrets } = fixture;
  let late = 0;
  const now = (): Date => new Date(Date.now() + late);
  const keyring = new PeerKeyring({ group, secrets, now });
  await keyring.upkeep();
  const first = keyring.keys?.token;
  late = 40 * DAY;
  await keyring.upkeep();
  assert.is(keyring.keys?.token, first);
  late = 50 * DAY;
  const check = (): void => {
    throw new Error('another replica leads');
  };
  const former = new PeerKeyring({ group, secrets, now, check });
  assert.match(await former.upkeep().then(() => 'no problem', String), 'another replica leads');
  assert.is((await secrets.read(group.secret))?.data['token'], first);
  await keyring.upkeep();
  assert.is.not(keyring.keys?.token, first);
});

test('keys are taken up as they are made and replaced; a Secret that is gone is told of', async () => {
  await using fixture = await cluster();
  const { connection, secrets } = fixture;
  const keyring = new PeerKeyring({ group, secrets, now: () => new Date() });
  const taken: PeerKeys[] = [];
  let missing = 0;
  await using _following = followPeerKeys(connection, {
    group,
    namespace,
    take: (keys) => taken.push(keys),
    missing: () => missing++,
    logger: silentLogger,
  });
  await eventually('that there are none is told', () => missing > 0);
  await using _keeping = maintainPeerKeys(keyring, systemClock, silentLogger);
  await eventually('they are taken', () => taken.length > 0);
  const before = missing;
  await secrets.update(group.secret, ({ token, ...rest }) => rest);
  await eventually('that they are not whole is told', () => missing > before);
  await keyring.upkeep();
  await eventually('others are taken', () => taken.at(-1)?.token === keyring.keys?.token);
  assert.is.not(taken.at(-1)?.token, taken[0]?.token);
});

test.run();
