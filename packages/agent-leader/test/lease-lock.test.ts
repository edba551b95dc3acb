/** Exact API calls of each attempt on the Lease, following the cases of client-go's own test. */
import { readFileSync } from 'node:fs';
import { assert, sharedPath, test } from '@meshrelay/testing';
import { parse } from 'yaml';
import { LeaseLock, type Outcome } from '../src/lease-lock.ts';
import { readRecord } from '../src/lease-record.ts';
import { Observation } from '../src/observation.ts';
import { electionTiming } from '../src/timing.ts';
import { FakeLeases } from './fake-leases.ts';
import { VirtualTime } from './virtual-time.ts';

interface Case {
  name: string;
  me: string;
  stored: null | string | { holderIdentity?: string; leaseDurationSeconds?: number };
  observedBefore: null | { holderIdentity: string };
  observedAgo: null | string;
  succeeds: boolean;
  leaderTransition: boolean;
  holderAfter: string;
  apiCalls: string[];
  retryAfterSeconds?: number;
}

const hour = 3_600_000;
const never = new AbortController().signal;
const timing = electionTiming({ leaseDuration: 10_000, renewDeadline: 7_000, retryPeriod: 2_000 });

function lockOn(leases: FakeLeases, time: VirtualTime, me: string, seen?: ConstructorParameters<typeof LeaseLock>[1]) {
  const errors: unknown[] = [];
  const lock = new LeaseLock(
    {
      leases: leases.client(),
      name: 'agent',
      namespace: 'meshrelay',
      identity: me,
      timing,
      clock: time.clock(),
      onError: (error) => errors.push(error),
    },
    seen,
  );
  return { lock, errors };
}

const oracle = sharedPath('oracles', 'k8s', 'leader-election.yaml');
const recorded = oracle === undefined ? [] : (parse(readFileSync(oracle, 'utf8')) as { cases: Case[] }).cases;

test('client-go: all eight recorded cases run, if they are available', () => {
  assert.is(recorded.length, oracle === undefined ? 0 : 8);
  assert.is(new Set(recorded.map(({ name }) => name)).size, recorded.length);
});

for (const example of recorded) {
  test(`client-go: ${example.name}`, async () => {
    const time = new VirtualTime();
    time.now = 2000 * hour;
    const spec = typeof example.stored === 'string' ? {} : (example.stored ?? 'none');
    const leases = new FakeLeases(spec);
    const observation = new Observation();
    const before = example.observedBefore;
    if (before !== null) {
      const ago = example.observedAgo?.startsWith('1000 h') ? 1000 * hour : 0;
      observation.see(readRecord({ ...(spec as object), ...before }, timing.leaseDuration), time.now - ago);
    }
    const leading = before?.holderIdentity === example.me;
    const { lock, errors } = lockOn(leases, time, example.me, { observation, requested: leading });
    const attempt = (): Promise<Outcome> => (leading ? lock.renew(never) : lock.acquire(never));

    let outcome = await attempt();
    if (example.retryAfterSeconds !== undefined) {
      assert.is(outcome.kind, 'refused');
      time.now += example.retryAfterSeconds * 1000 - 1;
      assert.is((await attempt()).kind, 'refused', 'not a millisecond too early');
      leases.calls.pop();
      time.now += 1;
      outcome = await attempt();
    }

    assert.is(outcome.kind === 'held', example.succeeds);
    assert.equal(leases.calls, example.apiCalls);
    assert.is(leases.stored?.spec?.holderIdentity, example.holderAfter);
    assert.is(leases.stored?.spec?.leaseTransitions ?? 0, example.leaderTransition ? 1 : 0);
    assert.equal(errors, []);
  });
}

test('a renewal is one update, keeps acquireTime and transitions, moves renewTime', async () => {
  const time = new VirtualTime();
  const leases = new FakeLeases({ holderIdentity: '', leaseTransitions: 4 });
  const { lock } = lockOn(leases, time, 'a');
  await lock.acquire(never);
  const acquired = leases.stored?.spec;
  leases.calls.length = 0;
  time.now += 2000;
  await lock.renew(never);
  assert.equal(leases.calls, ['update']);
  assert.is(leases.stored?.spec?.acquireTime, acquired?.acquireTime);
  assert.is(leases.stored?.spec?.leaseTransitions, 5);
  assert.is.not(leases.stored?.spec?.renewTime, acquired?.renewTime);
  assert.match(leases.stored?.spec?.renewTime ?? '', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/);
});

test('a stale version is read again once, then updated', async () => {
  const time = new VirtualTime();
  const leases = new FakeLeases('none');
  const { lock, errors } = lockOn(leases, time, 'a');
  await lock.acquire(never);
  leases.put(leases.stored?.spec);
  leases.calls.length = 0;
  assert.is((await lock.renew(never)).kind, 'held');
  assert.equal(leases.calls, ['update', 'get', 'update']);
  assert.is(errors.length, 1);
});

test('a lost race is not a success', async () => {
  const time = new VirtualTime();
  const leases = new FakeLeases({});
  const client = leases.client();
  const lock = new LeaseLock({
    leases: {
      ...client,
      get: async (...request) => {
        const lease = await client.get(...request);
        leases.put({ holderIdentity: 'faster', leaseDurationSeconds: 10 });
        return lease;
      },
    },
    name: 'agent',
    namespace: 'meshrelay',
    identity: 'a',
    timing,
    clock: time.clock(),
    onError: () => {},
  });
  assert.is((await lock.acquire(never)).kind, 'failed');
  assert.is(leases.stored?.spec?.holderIdentity, 'faster');
});

test('a release keeps the transitions and lets any replica acquire the Lease at once', async () => {
  const time = new VirtualTime();
  const leases = new FakeLeases({ leaseTransitions: 7 });
  const { lock } = lockOn(leases, time, 'a');
  await lock.acquire(never);
  await lock.release(never);
  const { holderIdentity, leaseDurationSeconds, leaseTransitions } = leases.stored?.spec ?? {};
  assert.equal(
    { holderIdentity, leaseDurationSeconds, leaseTransitions },
    {
      holderIdentity: '',
      leaseDurationSeconds: 1,
      leaseTransitions: 8,
    },
  );
  assert.is((await lockOn(leases, time, 'b').lock.acquire(never)).kind, 'held');
});

test('a release leaves the Lease of the next holder unchanged', async () => {
  const time = new VirtualTime();
  const leases = new FakeLeases('none');
  const { lock } = lockOn(leases, time, 'a');
  await lock.acquire(never);
  leases.put({ holderIdentity: 'b', leaseDurationSeconds: 10 });
  assert.is((await lock.release(never)).kind, 'refused');
  assert.is(leases.stored?.spec?.holderIdentity, 'b');
});

test('a restarted process with its old name waits for the whole lease duration', async () => {
  const time = new VirtualTime();
  const leases = new FakeLeases({ holderIdentity: 'pod-0', leaseDurationSeconds: 10 });
  const { lock } = lockOn(leases, time, 'pod-0');
  assert.is((await lock.acquire(never)).kind, 'refused');
  time.now += 9_999;
  assert.is((await lock.acquire(never)).kind, 'refused');
  time.now += 1;
  assert.is((await lock.acquire(never)).kind, 'held');
});

test('no replica takes the Lease of a holder that renews, whatever its own clock shows', async () => {
  const time = new VirtualTime();
  const leases = new FakeLeases({
    holderIdentity: 'b',
    leaseDurationSeconds: 10,
    renewTime: '1999-01-01T00:00:00.000000Z',
  });
  const { lock } = lockOn(leases, time, 'a');
  for (let second = 0; second < 60; second += 5) {
    leases.put({ ...leases.stored?.spec, renewTime: `1999-01-01T00:00:${String(second).padStart(2, '0')}.000001Z` });
    assert.is((await lock.acquire(never)).kind, 'refused');
    time.now += 5_000;
  }
});

/** Read through a function: otherwise the compiler narrows the type to the value that the test has just set. */
function transitionsOf(leases: FakeLeases): number | null | undefined {
  return leases.stored?.spec?.leaseTransitions;
}

test('a deleted Lease is not acquired before its last known holder must have stopped, and its count continues', async () => {
  const time = new VirtualTime();
  const leases = new FakeLeases({ holderIdentity: 'b', leaseDurationSeconds: 10, leaseTransitions: 3 });
  const { lock } = lockOn(leases, time, 'a');
  await lock.acquire(never);
  leases.stored = undefined;
  time.now += 9_999;
  assert.equal(await lock.acquire(never), { kind: 'refused', holder: 'b' });
  time.now += 1;
  assert.is((await lock.acquire(never)).kind, 'held');
  assert.is(transitionsOf(leases), 4);
});

test('a leader restores its deleted Lease, and gives up one that was cleared by hand', async () => {
  const time = new VirtualTime();
  const leases = new FakeLeases('none');
  const { lock } = lockOn(leases, time, 'a');
  await lock.acquire(never);
  leases.stored = undefined;
  assert.is((await lock.renew(never)).kind, 'held');
  leases.put({ holderIdentity: '' });
  assert.equal(await lock.renew(never), { kind: 'refused', holder: '' });
});

test.run();
