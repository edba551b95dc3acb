/**
 * Writes of replicas with skewed clocks, a faulty network and people who edit the Lease. No write of an older term
 * lands over one of a newer term.
 */
import { assert, test } from '@meshrelay/testing';
import fc from 'fast-check';
import { LeaderElector, type TermStore } from '../src/mod.ts';
import { FakeLeases, type Weather } from './fake-leases.ts';
import { VirtualTime } from './virtual-time.ts';

const length = 120_000;
/** Same as `requestTimeout` of the default timing. */
const timeout = 5_000;

const travelTime = fc.oneof({ weight: 4, arbitrary: fc.nat(50) }, { weight: 1, arbitrary: fc.nat(4_000) });
const weather = fc.record({
  there: travelTime,
  back: travelTime,
  ending: fc.constantFrom<Weather['ending']>('none', 'none', 'none', 'none', 'request', 'answer'),
});
const pause = fc
  .record({ from: fc.nat(length), lasts: fc.integer({ min: 1_000, max: 40_000 }) })
  .map(({ from, lasts }) => ({ from, to: from + lasts }));
/** Edits of a person: delete the Lease, clear its holder, set an unknown holder, or give it to one of the replicas. */
const edit = fc.record({ at: fc.nat(length), to: fc.constantFrom('delete', '', 'stranger', '0', '1', '2') });

interface Fixture {
  readonly rates: readonly number[];
  readonly pauses: readonly (readonly { readonly from: number; readonly to: number }[])[];
  readonly weathers: readonly Weather[];
  readonly edits: readonly { readonly at: number; readonly to: string }[];
}

const fixture = (replicas: fc.Arbitrary<number>, edits: fc.Arbitrary<Fixture['edits']>): fc.Arbitrary<Fixture> =>
  replicas.chain((count) =>
    fc.record({
      // Up to exactly the clock ratio that the timing tolerates.
      rates: fc.array(fc.constantFrom(1, 1.1, 1.25, 1.5), { minLength: count, maxLength: count }),
      pauses: fc.array(fc.array(pause, { maxLength: 2 }), { minLength: count, maxLength: count }),
      weathers: fc.array(weather, { minLength: 10, maxLength: 30 }),
      edits,
    }),
  );

interface Landed {
  readonly term: number;
  readonly by: string;
}

interface Guards {
  /** The writer checks `validFor` in the tick in which it sends, and its requests time out early enough. */
  readonly times: boolean;
  /** The writer stops if the object to change was written in a newer term. */
  readonly terms: boolean;
  /** A write names the version that it is based on, and the API server rejects it on any other version. */
  readonly compares: boolean;
}

interface Played {
  /** In the order in which they landed. */
  readonly writes: readonly Landed[];
  readonly refused: number;
}

/** Runs a scenario in which each leader writes one object repeatedly. */
async function play({ rates, pauses, weathers, edits }: Fixture, guards: Guards): Promise<Played> {
  const time = new VirtualTime();
  const leases = new FakeLeases('none');
  let drawn = 0;
  const rendezvous = (): Weather => weathers[drawn++ % weathers.length] as Weather;
  const advance = (milliseconds: number): Promise<void> => time.after(milliseconds);
  let highest = 0;
  const terms: TermStore = {
    async raise() {
      const { there, back } = rendezvous();
      await advance(there);
      const term = ++highest;
      await advance(back);
      return term;
    },
  };
  const writes: Landed[] = [];
  let version = 0;
  let refused = 0;
  const stop = new AbortController();
  rates.forEach((rate, index) => {
    const clock = time.clock({ rate, pauses: pauses[index] ?? [] });
    const elector = new LeaderElector({
      leases: leases.client(rendezvous, advance),
      name: 'agent',
      namespace: 'meshrelay',
      identity: String(index),
      clock,
      random: () => 0.5,
      terms,
      async onStartedLeading(term, signal) {
        while (!signal.aborted) {
          // The writer reads the object; it may be paused before its write.
          const based = version;
          if (guards.terms && (writes.at(-1)?.term ?? 0) > term) throw new Error('an object of a newer term was seen');
          await clock.sleep(300);
          if (guards.times && elector.validFor() <= 0) break;
          const { there, ending } = rendezvous();
          if (ending !== 'request' && (!guards.times || there <= timeout)) {
            void advance(there).then(() => {
              if (guards.compares && based !== version) refused++;
              else {
                version++;
                writes.push({ term, by: String(index) });
              }
            });
          }
          await clock.sleep(700, signal);
        }
      },
    });
    void elector.run(stop.signal);
  });
  for (const { at, to } of edits)
    time.schedule(at, () => {
      if (to === 'delete') leases.stored = undefined;
      else leases.put({ ...leases.stored?.spec, holderIdentity: to, leaseDurationSeconds: 15 });
    });
  await time.pass(length);
  stop.abort();
  await time.pass(60_000);
  return { writes, refused };
}

/** The first write that landed after one of a newer term. */
function stale({ writes }: Played): Landed | undefined {
  let newest = 0;
  return writes.find(({ term }) => {
    if (term < newest) return true;
    newest = term;
    return false;
  });
}

/** A term under which two replicas wrote. */
function shared({ writes }: Played): number | undefined {
  const writers = new Map<number, string>();
  return writes.find(({ term, by }) => {
    const first = writers.get(term) ?? by;
    writers.set(term, first);
    return first !== by;
  })?.term;
}

const some = fc.integer({ min: 2, max: 3 });
const guarded: Guards = { times: true, terms: true, compares: true };

test('no two replicas write under one term, and no older term writes over a newer one, whatever people do to the Lease', async () => {
  let landed = 0;
  await fc.assert(
    fc.asyncProperty(fixture(some, fc.array(edit, { maxLength: 4 })), async (given) => {
      const played = await play(given, guarded);
      landed += played.writes.length;
      assert.is(shared(played), undefined);
      assert.is(stale(played), undefined);
    }),
    { numRuns: 60 },
  );
  assert.ok(landed > 1_000, `only ${landed} writes landed: too few to prove anything`);
});

test('terms and versions suffice where no clock can be trusted', async () => {
  let refused = 0;
  await fc.assert(
    fc.asyncProperty(fixture(some, fc.array(edit, { minLength: 2, maxLength: 4 })), async (given) => {
      const played = await play(given, { ...guarded, times: false });
      refused += played.refused;
      assert.is(stale(played), undefined);
    }),
    { numRuns: 40 },
  );
  assert.ok(refused > 0, 'nothing was ever late');
});

test('without versions, or without terms, older terms do write over newer ones: the scenarios detect it', async () => {
  const calm: Weather = { there: 5, back: 5, ending: 'none' };
  const slow: Fixture = {
    rates: [1, 1],
    pauses: [[], []],
    weathers: [
      { ...calm, there: 3_000 },
      { ...calm, back: 3_000 },
    ],
    edits: [{ at: 5_000, to: 'delete' }],
  };
  assert.is(stale(await play(slow, guarded)), undefined);
  assert.ok(stale(await play(slow, { ...guarded, terms: false })));
  const { failed } = await fc.check(
    fc.asyncProperty(fixture(some, fc.array(edit, { minLength: 2, maxLength: 4 })), async (given) =>
      assert.is(stale(await play(given, { ...guarded, times: false, compares: false })), undefined),
    ),
    { numRuns: 300, endOnFailure: true, interruptAfterTimeLimit: 60_000 },
  );
  assert.ok(failed);
});

/** Every combination of holder actions and Lease edits in a few steps. */
test('all small scenarios: two replicas, clocks of 1 and 1.5, one pause, one edit', async () => {
  const edits: Fixture['edits'][] = [
    [],
    ...['delete', '', 'stranger', '0', '1'].flatMap((to) => [17_000].map((at) => [{ at, to }])),
  ];
  const pausesOf = [[], [{ from: 4_000, to: 30_000 }], [{ from: 12_000, to: 25_000 }]];
  const nets: Weather[][] = [
    [{ there: 5, back: 5, ending: 'none' }],
    [
      { there: 3_000, back: 10, ending: 'none' },
      { there: 5, back: 3_000, ending: 'none' },
    ],
    [
      { there: 5, back: 5, ending: 'answer' },
      { there: 5, back: 5, ending: 'none' },
    ],
  ];
  let fleets = 0;
  for (const rates of [
    [1, 1],
    [1, 1.5],
    [1.5, 1],
  ])
    for (const first of pausesOf)
      for (const second of pausesOf)
        for (const weathers of nets)
          for (const each of edits) {
            const played = await play({ rates, pauses: [first, second], weathers, edits: each }, guarded);
            const seen = JSON.stringify({ rates, first, second, weathers, each });
            assert.is(shared(played), undefined, seen);
            assert.is(stale(played), undefined, seen);
            fleets++;
          }
  assert.is(fleets, 3 * 3 * 3 * 3 * 6);
});

test.run();
