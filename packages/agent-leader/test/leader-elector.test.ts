/** Guarantees of an elector: it starts and stops in time, drains before it releases, and uses one term per start. */
import { assert, test } from '@meshrelay/testing';
import { type ElectionOperation, LeaderElector, type LeaderElectorOptions, LeaseRequestError } from '../src/mod.ts';
import { FakeLeases, type Weather } from './fake-leases.ts';
import { settle, VirtualTime } from './virtual-time.ts';

const calm: Weather = { there: 1, back: 1, ending: 'none' };

function replica(
  time: VirtualTime,
  leases: FakeLeases,
  options: Partial<LeaderElectorOptions> & { weather?: () => Weather } = {},
) {
  const log: string[] = [];
  const errors: [ElectionOperation, unknown][] = [];
  const stop = new AbortController();
  const elector = new LeaderElector({
    leases: leases.client(options.weather ?? (() => calm), (milliseconds) => time.after(milliseconds)),
    name: 'agent',
    namespace: 'meshrelay',
    identity: 'a',
    clock: time.clock(),
    random: () => 0,
    onStartedLeading(term, signal) {
      log.push(`started ${term}`);
      signal.addEventListener('abort', () => log.push('aborted'));
    },
    onStoppedLeading: () => void log.push('stopped'),
    onNewLeader: (identity) => log.push(`leader ${identity}`),
    onError: (error, operation) => errors.push([operation, error]),
    ...options,
  });
  let ended = false;
  const run = elector.run(stop.signal).finally(() => {
    ended = true;
  });
  return { elector, log, errors, stop, run, ended: () => ended };
}

test('leads, renews, and on cancel drains, then releases', async () => {
  const time = new VirtualTime();
  const leases = new FakeLeases('none');
  let finish = (): void => {};
  const a = replica(time, leases, {
    onStartedLeading: () =>
      new Promise<void>((resolve) => {
        finish = resolve;
      }),
  });
  await time.pass(60_000);
  assert.is(a.elector.term, 1);
  assert.ok(a.elector.validFor() > 7_000);
  a.stop.abort();
  await time.pass(60_000);
  assert.is(leases.stored?.spec?.holderIdentity, 'a', 'kept while the work has not ended');
  assert.not(a.ended());
  finish();
  await time.pass(5_000);
  assert.is(leases.stored?.spec?.holderIdentity, '');
  assert.equal(a.log, ['leader a', 'stopped']);
  assert.ok(a.ended());
  assert.is(a.elector.term, undefined);
  assert.is(a.elector.validFor(), 0);
});

test('an unreachable API server ends leadership within the renew deadline, without a release', async () => {
  const time = new VirtualTime();
  const leases = new FakeLeases('none');
  let weather = calm;
  const a = replica(time, leases, { weather: () => weather });
  await time.pass(3_000);
  weather = { ...calm, ending: 'request' };
  await time.pass(9_000);
  assert.is(a.log.includes('aborted'), false);
  await time.pass(1_100);
  assert.equal(a.log, ['leader a', 'started 1', 'aborted', 'stopped']);
  assert.is(a.elector.validFor(), 0);
  weather = calm;
  await time.pass(5_000);
  assert.equal(a.log.slice(4), ['started 1'], 'contends again; the holder has not changed, so neither has the count');
});

test('a request without a response times out and ends leadership', async () => {
  const time = new VirtualTime();
  let weather = calm;
  const a = replica(time, new FakeLeases('none'), { weather: () => weather });
  await time.pass(3_000);
  weather = { there: 1e9, back: 0, ending: 'none' };
  await time.pass(10_100);
  assert.equal(a.log, ['leader a', 'started 1', 'aborted', 'stopped']);
  assert.match(String(a.errors[0]?.[1]), 'no answer within 5000 ms');
});

test('with a rejected credential it retries less and less often, and reports when the credential is accepted again', async () => {
  const time = new VirtualTime();
  const leases = new FakeLeases('none');
  let rejections = 0;
  let accepted = false;
  const client = leases.client();
  const get: typeof client.get = (...request) => {
    if (accepted) return client.get(...request);
    rejections++;
    return Promise.reject(new LeaseRequestError('get Lease meshrelay/agent', 401, 'Unauthorized'));
  };
  let recovered = 0;
  const a = replica(time, leases, { leases: { ...client, get }, onRecovered: () => recovered++ });
  await time.pass(60_000);
  // After 0, 2, 6, 14, 29, 44 and 59 seconds.
  assert.is(rejections, 7);
  accepted = true;
  await time.pass(15_000);
  assert.equal([recovered, a.elector.term], [1, 1]);
});

test('a Lease with another holder ends leadership at the next renewal', async () => {
  const time = new VirtualTime();
  const leases = new FakeLeases('none');
  const a = replica(time, leases);
  await time.pass(1_000);
  leases.put({ holderIdentity: 'b', leaseDurationSeconds: 15 });
  await time.pass(2_100);
  assert.equal(a.log, ['leader a', 'started 1', 'leader b', 'aborted', 'stopped']);
  assert.is(leases.stored?.spec?.holderIdentity, 'b');
});

test('work that fails hands leadership to another replica', async () => {
  const time = new VirtualTime();
  const leases = new FakeLeases('none');
  const a = replica(time, leases, { onStartedLeading: () => Promise.reject(new Error('no Redis')) });
  await time.pass(1_000);
  assert.is(leases.stored?.spec?.holderIdentity, '');
  assert.equal(
    a.errors.map(([operation, error]) => [operation, String(error)]),
    [['onStartedLeading', 'Error: no Redis']],
  );
});

test('the term is raised after the Lease was acquired and before the work starts, while the Lease is renewed', async () => {
  const time = new VirtualTime();
  const leases = new FakeLeases('none');
  const a = replica(time, leases, {
    terms: {
      async raise() {
        assert.is(leases.stored?.spec?.holderIdentity, 'a');
        await time.after(8_000);
        return 41;
      },
    },
  });
  await time.pass(7_000);
  assert.equal(a.log, ['leader a']);
  assert.is(leases.calls.filter((call) => call === 'update').length, 3);
  await time.pass(2_000);
  assert.equal(a.log, ['leader a', 'started 41']);
});

test('a term that cannot be raised is tried again, then another replica takes the Lease', async () => {
  const time = new VirtualTime();
  const leases = new FakeLeases('none');
  const a = replica(time, leases, { terms: { raise: () => Promise.reject(new Error('403 outputledgers')) } });
  await time.pass(9_900);
  assert.is(leases.stored?.spec?.holderIdentity, 'a');
  await time.pass(200);
  assert.is(leases.stored?.spec?.holderIdentity, '');
  assert.ok(a.errors.length >= 4);
  assert.ok(a.errors.every(([operation]) => operation === 'term'));
  assert.not(a.log.some((line) => line.startsWith('started')));
});

test('a hanging term store does not keep the process from ending', async () => {
  const time = new VirtualTime();
  const a = replica(time, new FakeLeases('none'), { terms: { raise: () => new Promise(() => {}) } });
  await time.pass(1_000);
  a.stop.abort();
  await time.pass(10);
  assert.ok(a.ended());
  assert.equal(a.errors, []);
});

test('a process whose Lease expired while the term was raised starts no work', async () => {
  const time = new VirtualTime();
  const a = replica(time, new FakeLeases('none'), {
    terms: {
      raise() {
        // A frozen process: time passes and none of its timers fire.
        time.now += 11_000;
        return Promise.resolve(1);
      },
    },
  });
  await time.pass(1_000);
  assert.equal(a.log, ['leader a']);
  assert.is(a.elector.term, undefined);
});

test('attempts to acquire are spread over one to 2.2 retry periods', async () => {
  for (const [random, pause] of [
    [0, 2_000],
    [0.999999, 4_400],
  ] as const) {
    const time = new VirtualTime();
    const leases = new FakeLeases({ holderIdentity: 'b', leaseDurationSeconds: 15 });
    const a = replica(time, leases, { random: () => random });
    await time.pass(14_000);
    assert.is(leases.calls.length, 1 + Math.floor(14_000 / (pause + 2)));
    a.stop.abort();
  }
});

test('a follower takes over within 23.8 s of the last renewal, and at once after a release', async () => {
  for (const [graceful, limit] of [
    [false, 23_800],
    [true, 4_410],
  ] as const) {
    const time = new VirtualTime();
    const leases = new FakeLeases('none');
    let cut = false;
    const a = replica(time, leases, { weather: () => ({ ...calm, ending: cut ? 'request' : 'none' }) });
    await time.pass(10);
    const b = replica(time, leases, { identity: 'b', random: () => 0.999 });
    await time.pass(30_000);
    if (graceful) a.stop.abort();
    else cut = true;
    await time.pass(limit);
    assert.ok(b.log.includes('started 2'), `${b.log}`);
    a.stop.abort();
    b.stop.abort();
  }
});

test('an elector runs once at a time and needs an identity', async () => {
  const time = new VirtualTime();
  const a = replica(time, new FakeLeases('none'));
  let rejection: unknown;
  await a.elector.run(a.stop.signal).catch((error: unknown) => {
    rejection = error;
  });
  assert.match(String(rejection), 'runs already');
  a.stop.abort();
  await time.pass(10);
  await settle();
  assert.throws(() => replica(time, new FakeLeases('none'), { identity: '' }), /identity is empty/);
});

test.run();
