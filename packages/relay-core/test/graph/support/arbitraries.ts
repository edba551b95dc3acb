/** Random definitions and random histories of commits, for fast-check. */

import type { Key } from '@meshrelay/plugin';
import fc from 'fast-check';
import type { Source, Transaction } from '../../../src/mod.ts';
import { type Definition, type NodePlan, pooled } from './definition.ts';
import type { Values } from './from-scratch.ts';

export type Write =
  | { readonly op: 'set'; readonly source: number; readonly key: number; readonly value: number }
  | { readonly op: 'delete'; readonly source: number; readonly key: number }
  | { readonly op: 'replaceAll'; readonly source: number; readonly entries: ReadonlyArray<readonly [number, number]> };

export type Commit = readonly Write[];

const read = fc.record({
  via: fc.constantFrom('get' as const, 'has' as const, 'by' as const, 'count' as const, 'any' as const),
  target: fc.nat(6),
  key: fc.nat(4),
  onlyIf: fc.integer({ min: 1, max: 2 }),
});

function node(poisoned: boolean): fc.Arbitrary<NodePlan> {
  return fc.record({
    kind: fc.constantFrom(
      'derive' as const,
      'derive' as const,
      'deriveMany' as const,
      'match',
      'group',
      'gather',
      'join',
    ),
    input: fc.nat(3),
    other: fc.nat(6),
    salt: fc.nat(1000),
    reads: fc.array(read, { maxLength: 3, size: 'max' }),
    poison: poisoned ? fc.constantFrom(0, 3, 5, 8) : fc.constant(0),
  });
}

export function definitions(poisoned: boolean): fc.Arbitrary<Definition> {
  return fc.record({
    sources: fc.integer({ min: 1, max: 2 }),
    nodes: fc.array(node(poisoned), { minLength: 2, maxLength: 7, size: 'max' }),
  });
}

const write: fc.Arbitrary<Write> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      op: fc.constant('set' as const),
      source: fc.nat(1),
      key: fc.nat(4),
      value: fc.nat(9),
    }),
  },
  { weight: 3, arbitrary: fc.record({ op: fc.constant('delete' as const), source: fc.nat(1), key: fc.nat(4) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      op: fc.constant('replaceAll' as const),
      source: fc.nat(1),
      entries: fc.array(fc.tuple(fc.nat(4), fc.nat(9)), { maxLength: 4 }),
    }),
  },
);

export const histories: fc.Arbitrary<readonly Commit[]> = fc.array(fc.array(write, { maxLength: 6, size: 'max' }), {
  minLength: 1,
  maxLength: 7,
  size: 'max',
});

/** Creates a new object each time, so that equality is never identity. */
export function plainValue(n: number): object {
  return { n, list: [n % 2, { deep: n % 3 }] };
}

export function apply(commit: Commit, sources: readonly Source<unknown>[], transaction: Transaction): void {
  for (const write of commit) {
    const source = sources[write.source % sources.length] as Source<unknown>;
    if (write.op === 'set') transaction.set(source, pooled(write.key), plainValue(write.value));
    else if (write.op === 'delete') transaction.delete(source, pooled(write.key));
    else transaction.replaceAll(source, entriesOf(write.entries));
  }
}

/** The content of the sources after a commit. */
export function applied(commit: Commit, before: readonly Values[]): readonly Values[] {
  const sources = before.map((values) => new Map(values));
  for (const write of commit) {
    const at = write.source % sources.length;
    if (write.op === 'set') sources[at]?.set(pooled(write.key), plainValue(write.value));
    else if (write.op === 'delete') sources[at]?.delete(pooled(write.key));
    else sources[at] = new Map(entriesOf(write.entries));
  }
  return sources;
}

function entriesOf(entries: ReadonlyArray<readonly [number, number]>): [Key, object][] {
  return entries.map(([at, value]) => [pooled(at), plainValue(value)]);
}
