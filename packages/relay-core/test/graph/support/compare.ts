/** Compares a graph with the oracle, byte for byte. */

import type { Key } from '@meshrelay/plugin';
import { assert } from '@meshrelay/testing';
import { type ChangeSet, compareKeys } from '../../../src/mod.ts';
import type { Built } from './build.ts';
import { pool } from './definition.ts';
import type { FleetState, Values } from './from-scratch.ts';

/** Asserts that everything outside readers see equals the oracle. */
export function sameAs(built: Built, fleetState: FleetState, when: string): void {
  for (const [name, collection] of built.collections) {
    const expected = fleetState.collections.get(name) ?? new Map();
    assert.is(bytes(collection.entries()), bytes(expected), `${name} ${when}`);
    assert.is(collection.size, expected.size, `size of ${name} ${when}`);
    for (const at of pool) {
      assert.is(JSON.stringify(collection.get(at)), JSON.stringify(expected.get(at)), `${name} at ${at} ${when}`);
      sameBucket(built, fleetState, name, at, when);
    }
  }
  for (const [name, collection] of built.inline) {
    const expected = fleetState.collections.get(name) ?? new Map();
    assert.is(bytes(collection.entries()), bytes(expected), `${name} inline ${when}`);
  }
  const quarantined = new Set<string>();
  for (const [, fault] of built.graph.quarantined.entries()) quarantined.add(`${fault.node} ${fault.key}`);
  assert.equal([...quarantined].sort(), [...fleetState.quarantined].sort(), `quarantine ${when}`);
}

function sameBucket(built: Built, fleetState: FleetState, name: string, bucket: Key, when: string): void {
  const members = fleetState.indexes.get(name)?.get(bucket) ?? [];
  const expected = members.map((member) => [member, fleetState.collections.get(name)?.get(member)]);
  const index = built.indexes.get(name);
  assert.is(JSON.stringify(index?.entriesOf(bucket)), JSON.stringify(expected), `bucket ${bucket} of ${name} ${when}`);
  assert.is(index?.countOf(bucket), members.length, `count of ${bucket} of ${name} ${when}`);
}

/** Asserts that the change set leads from one state of the oracle to the next, without unchanged entries. */
export function leadsFrom(built: Built, changes: ChangeSet, before: FleetState, after: FleetState): void {
  for (const [name, collection] of built.collections) {
    const expected = differences(before.collections.get(name) ?? new Map(), after.collections.get(name) ?? new Map());
    const reported = changes.of(collection).map((change) => [change.key, change.before, change.after]);
    assert.is(bytes(reported as never), bytes(expected as never), `changes of ${name}`);
  }
}

function differences(before: Values, after: Values): [Key, unknown, unknown][] {
  const keys = new Set([...before.keys(), ...after.keys()]);
  return [...keys]
    .map((at): [Key, unknown, unknown] => [at, before.get(at), after.get(at)])
    .filter(([, from, to]) => JSON.stringify(from) !== JSON.stringify(to));
}

/** The number of items per node that had to run again: items whose value, or any value they read, differs. */
export function neededRuns(before: FleetState, after: FleetState): ReadonlyMap<string, number> {
  const runs = new Map<string, number>();
  for (const [node, items] of after.seen) {
    let count = 0;
    for (const [at, seen] of items) if (before.seen.get(node)?.get(at) !== seen) count += 1;
    runs.set(node, count);
  }
  return runs;
}

function bytes(entries: Iterable<readonly [Key, ...unknown[]]>): string {
  return JSON.stringify([...entries].sort((a, b) => compareKeys(a[0], b[0])));
}
