/** The property of the graph, for random graphs and histories: incremental == from scratch, byte for byte. */
import { assert, scaledRuns, test } from '@meshrelay/testing';
import fc from 'fast-check';
import type { ChangeSet } from '../../src/mod.ts';
import { applied, apply, type Commit, definitions, histories } from './support/arbitraries.ts';
import { type Built, build } from './support/build.ts';
import { leadsFrom, neededRuns, sameAs } from './support/compare.ts';
import { type Definition, nodeName } from './support/definition.ts';
import { emptyFleetState, evaluate, type FleetState, type Values } from './support/from-scratch.ts';

/** Every state of the oracle along a history, the empty one first. */
function fleetStatesOf(
  definition: Definition,
  history: readonly Commit[],
): { fleets: FleetState[]; sources: readonly Values[] } {
  let sources: readonly Values[] = Array.from({ length: definition.sources }, () => new Map());
  let fleetState = emptyFleetState;
  const fleets = [fleetState];
  for (const commit of history) {
    sources = applied(commit, sources);
    fleetState = evaluate(definition, sources, fleetState);
    fleets.push(fleetState);
  }
  return { fleets, sources };
}

function commitAll(built: Built, history: readonly Commit[], fleets: readonly FleetState[]): void {
  for (const [nth, commit] of history.entries()) {
    if (nth % 2 === 1) built.graph.compact();
    const before = built.graph.counters();
    const changes = built.graph.commit((transaction) => apply(commit, built.sources, transaction));
    sameAs(built, fleets[nth + 1] as FleetState, `after commit ${nth}`);
    leadsFrom(built, changes, fleets[nth] as FleetState, fleets[nth + 1] as FleetState);
    for (const [node, runs] of neededRuns(fleets[nth] as FleetState, fleets[nth + 1] as FleetState)) {
      const done = (built.graph.counters().get(node)?.recomputed ?? 0) - (before.get(node)?.recomputed ?? 0);
      assert.is(done, runs, `runs of ${node} in commit ${nth}`);
    }
  }
}

/** A new graph that gets the final sources at once, in another order. */
function fresh(definition: Definition, sources: readonly Values[]): Built {
  const built = build(definition);
  built.graph.commit((transaction) => {
    for (const [number, values] of sources.entries()) {
      const source = built.sources[number];
      if (source === undefined) throw new Error('a source is missing');
      for (const [at, value] of [...values].reverse()) transaction.set(source, at, value);
    }
  });
  return built;
}

function emptyOut(built: Built): void {
  built.graph.commit((transaction) => {
    for (const source of built.sources) transaction.replaceAll(source, []);
  });
  for (const [name, sizes] of built.graph.sizes()) {
    for (const [what, size] of Object.entries(sizes)) assert.is(size, 0, `${what} of ${name} once all is deleted`);
  }
}

test('every commit equals an evaluation from scratch, and runs only what it must', () => {
  fc.assert(
    fc.property(definitions(false), histories, (definition, history) => {
      const { fleets, sources } = fleetStatesOf(definition, history);
      const built = build(definition);
      commitAll(built, history, fleets);
      const final = fleets.at(-1) as FleetState;
      if (final.quarantined.size === 0) sameAs(fresh(definition, sources), final, 'in a fresh graph');
      emptyOut(built);
    }),
    { numRuns: scaledRuns(1500) },
  );
});

test('functions that throw affect only their own keys, which keep their last valid output', () => {
  fc.assert(
    fc.property(definitions(true), histories, (definition, history) => {
      const { fleets } = fleetStatesOf(definition, history);
      const built = build(definition);
      commitAll(built, history, fleets);
      emptyOut(built);
    }),
    { numRuns: scaledRuns(1500) },
  );
});

test('inline nodes give the same results', () => {
  fc.assert(
    fc.property(fc.boolean().chain(definitions), histories, (definition, history) => {
      const { fleets } = fleetStatesOf(definition, history);
      const built = build(definition, true);
      for (const [nth, commit] of history.entries()) {
        const changes = built.graph.commit((transaction) => apply(commit, built.sources, transaction));
        sameAs(built, fleets[nth + 1] as FleetState, `after commit ${nth}`);
        leadsFrom(built, changes, fleets[nth] as FleetState, fleets[nth + 1] as FleetState);
      }
      emptyOut(built);
    }),
    { numRuns: scaledRuns(1500) },
  );
});

test('lazy nodes are empty until activated, and then as if they had always been active', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.boolean().chain(definitions),
      histories,
      fc.record({ sleepsFrom: fc.nat(6), wakesAt: fc.nat(6), yielding: fc.boolean(), inlines: fc.boolean() }),
      async (definition, history, { sleepsFrom, wakesAt, yielding, inlines }) => {
        const { fleets } = fleetStatesOf(definition, history);
        // Stored output of failed runs depends on previous states, which lazy nodes have not seen.
        fc.pre(fleets.every(({ quarantined }) => quarantined.size === 0));
        const built = build(definition, inlines, sleepsFrom);
        const sleeping = definition.nodes.flatMap((_, number) => (number < sleepsFrom ? [] : nodeName(number)));
        let clock = 0;
        const yieldOptions = { sliceMs: 3, now: () => clock++, pause: async () => allEmpty(built, sleeping) };
        const wake = async (): Promise<void> =>
          yielding ? built.lazy.activateYielding(yieldOptions) : built.lazy.activate();
        if (wakesAt === 0) await wake();
        for (const [nth, commit] of history.entries()) {
          const changes = built.graph.commit((transaction) => apply(commit, built.sources, transaction));
          if (nth + 1 < wakesAt) allEmpty(built, sleeping);
          if (nth + 1 === wakesAt) await Promise.all([wake(), wake()]);
          if (nth + 1 < wakesAt) continue;
          sameAs(built, fleets[nth + 1] as FleetState, `after commit ${nth}`);
          if (nth + 1 > wakesAt) leadsFrom(built, changes, fleets[nth] as FleetState, fleets[nth + 1] as FleetState);
        }
        emptyOut(built);
      },
    ),
    { numRuns: scaledRuns(1000) },
  );
});

function allEmpty({ collections }: Built, names: readonly string[]): void {
  for (const name of names) assert.is(collections.get(name)?.size, 0, `${name} sleeps`);
}

test('yielding commits show the last finished commit until they end, and run in order', async () => {
  await fc.assert(
    fc.asyncProperty(
      definitions(true),
      histories,
      fc.array(fc.nat(2)),
      async (definition, history, endpointMultiplicity) => {
        const { fleets } = fleetStatesOf(definition, history);
        const built = build(definition, history.length % 2 === 0);
        let finished = 0;
        const stop = built.graph.subscribe((changes) => {
          leadsFrom(built, changes, fleets[finished] as FleetState, fleets[finished + 1] as FleetState);
          finished += 1;
        });
        let clock = 0;
        const yieldOptions = {
          sliceMs: 3,
          now: () => clock++,
          pause: async () => sameAs(built, fleets[finished] as FleetState, `during commit ${finished}`),
        };
        let pending: Promise<ChangeSet>[] = [];
        for (const [nth, commit] of history.entries()) {
          const write = (transaction: Parameters<Parameters<typeof built.graph.commit>[0]>[0]) =>
            apply(commit, built.sources, transaction);
          const way = endpointMultiplicity[nth] ?? 0;
          if (way === 2) built.graph.commit(write);
          else pending.push(built.graph.commitYielding(write, yieldOptions));
          if (way === 1) {
            await Promise.all(pending);
            pending = [];
          }
        }
        await Promise.all(pending);
        assert.is(finished, history.length);
        sameAs(built, fleets.at(-1) as FleetState, 'at the end');
        stop();
        emptyOut(built);
      },
    ),
    { numRuns: scaledRuns(1000) },
  );
});

test.run();
