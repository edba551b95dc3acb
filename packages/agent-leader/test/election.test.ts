/** Replicas with different clock rates, pauses and a faulty network: properties of an election in random runs. */
import { assert, scaledRuns, test } from '@meshrelay/testing';
import fc from 'fast-check';
import { LeaderElector, type TermStore } from '../src/mod.ts';
import { FakeLeases, type Weather } from './fake-leases.ts';
import { VirtualTime } from './virtual-time.ts';

const faulty = 90_000;
const calmAfter = 60_000;

const weather = fc.record({
  there: fc.nat(3_000),
  back: fc.nat(3_000),
  ending: fc.constantFrom<Weather['ending']>('none', 'none', 'none', 'request', 'answer'),
});
const pause = fc
  .record({ from: fc.nat(faulty), length: fc.integer({ min: 100, max: 25_000 }) })
  .map(({ from, length }) => ({ from, to: Math.min(from + length, faulty) }));
const replica = fc.record({
  // The fastest and the slowest clock differ by less than leaseDuration / renewDeadline = 1.5.
  rate: fc.double({ min: 0.82, max: 1.2, noNaN: true }),
  pauses: fc.array(pause, { maxLength: 2 }),
  restartAt: fc.option(fc.nat(faulty)),
  drain: fc.nat(4_000),
});
const fixture = fc.record({
  replicas: fc.array(replica, { minLength: 2, maxLength: 4 }),
  weathers: fc.array(weather, { minLength: 20, maxLength: 20 }),
  seeds: fc.array(fc.double({ min: 0, max: 0.999, noNaN: true }), { minLength: 16, maxLength: 16 }),
  deletions: fc.constant<number[]>([]),
});
/** A person sometimes deletes the Lease: a replica cannot know a holder that it never observed. */
const careless = fc.tuple(fixture, fc.array(fc.nat(faulty), { minLength: 1, maxLength: 2 }));
type Fixture = typeof fixture extends fc.Arbitrary<infer T> ? T : never;

/** Runs one scenario and checks the properties at every event. */
async function play({ replicas, weathers, seeds, deletions }: Fixture): Promise<void> {
  const time = new VirtualTime();
  const leases = new FakeLeases('none');
  let drawn = 0;
  const rendezvous = (): Weather =>
    time.now < faulty ? (weathers[drawn++ % weathers.length] as Weather) : { there: 5, back: 5, ending: 'none' };
  const random = (): number => seeds[drawn++ % seeds.length] as number;
  const advance = (milliseconds: number): Promise<void> => time.after(milliseconds);

  let highest = 0;
  const terms: TermStore = {
    async raise() {
      const { there, back, ending } = rendezvous();
      await advance(there);
      if (ending === 'request') throw new Error('ECONNRESET');
      const term = ++highest;
      await advance(back);
      if (ending === 'answer') throw new Error('socket hang up');
      return term;
    },
  };

  let over = false;
  const started: number[] = [];
  const electors: { elector: LeaderElector; stop: AbortController }[] = [];
  const launch = (index: number, generation: number): void => {
    const { rate, pauses, restartAt, drain } = replicas[index] as Fixture['replicas'][number];
    const stop = new AbortController();
    let working = false;
    const clock = time.clock({ rate, pauses });
    const elector = new LeaderElector({
      leases: leases.client(rendezvous, advance),
      name: 'agent',
      namespace: 'meshrelay',
      identity: `${index}_${generation}`,
      clock,
      random,
      terms,
      async onStartedLeading(term, signal) {
        assert.not(working, 'the work of one process never overlaps itself');
        working = true;
        if (deletions.length === 0) assert.ok(term > (started.at(-1) ?? 0), `terms increase: ${term} after ${started}`);
        assert.not(started.includes(term), 'no term is used twice');
        started.push(term);
        // Like a real writer: when the target has seen a larger term, the work ends and the replica raises a new term.
        for (; !signal.aborted; await clock.sleep(1_000, signal)) if (highest > term) throw new Error('fenced');
        await clock.sleep(drain);
      },
      onStoppedLeading() {
        assert.ok(working, 'one stop for each start');
        working = false;
      },
    });
    electors.push({ elector, stop });
    void elector.run(stop.signal).then(() => {
      assert.not(working, 'nothing works after the end');
      // A restart requested during the faults may end after them: one replica must be left to lead.
      if (generation === 0 && !over) launch(index, 1);
    });
    if (restartAt !== null && generation === 0) time.schedule(restartAt, () => stop.abort());
  };
  replicas.forEach((_, index) => {
    launch(index, 0);
  });
  for (const at of deletions) {
    time.schedule(at, () => {
      leases.stored = undefined;
    });
  }

  const believing = () => electors.filter(({ elector }) => elector.term !== undefined && elector.validFor() > 0);
  const oneAtMost = (): void => {
    const leading = believing();
    assert.ok(
      leading.length <= 1,
      `at ${time.now} these believe to lead: ${leading.map(({ elector }) => elector.term)}`,
    );
  };
  await time.pass(faulty + calmAfter, deletions.length === 0 ? oneAtMost : undefined);
  const leaders = believing().map(({ elector }) => elector.term);
  assert.equal(leaders, [highest], 'one leads once the faults are over, and it has the highest term');
  over = true;
  for (const { stop } of electors) stop.abort();
  await time.pass(10_000);
  assert.is(leases.stored?.spec?.holderIdentity, '', 'released in the end');
}

test('at most one replica believes that it leads, terms increase, and one replica leads in the end', async () => {
  await fc.assert(fc.asyncProperty(fixture, play), { numRuns: scaledRuns(150) });
});

test('a deleted Lease may lead to two believers but never to one term twice, and ends with the highest term', async () => {
  const property = fc.asyncProperty(careless, ([base, deletions]) => play({ ...base, deletions }));
  await fc.assert(property, { numRuns: scaledRuns(50) });
});

test.run();
