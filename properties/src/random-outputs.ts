/** What random fleets come to, for those who judge it by other means than laws. */
import { type ControlPlane, type NativeObject, OBJECT_PATCH, valuesInOrder } from '@meshrelay/relay-core';
import fc from 'fast-check';
import type { Placed } from './fleet.ts';
import { histories } from './histories.ts';
import { live } from './invariants.ts';
import { fromScratch, ledgerOf } from './state.ts';

/** A random fleet at the end of its history. */
export interface RandomFleet {
  /** The objects that are there, '' the management cluster. */
  readonly state: readonly Placed[];
  readonly plane: ControlPlane;
  /** The fleet as it would be without one of the objects, with the same decisions. */
  readonly without: (left: Placed) => ControlPlane;
}

/** So many random fleets, one after the other: each takes some memory. */
export function* randomFleets(runs: number, seed: number): Generator<RandomFleet> {
  for (const history of fc.sample(histories, { numRuns: runs, seed })) {
    const { state, fleet } = live(history);
    const without = (left: Placed): ControlPlane =>
      fromScratch(
        state.filter((one) => one !== left),
        ledgerOf(fleet.plane),
      );
    yield { state, plane: fleet.plane, without };
  }
}

/** The objects that are wanted by so many random fleets; those that differ in nothing but their names once. */
export function randomOutputs(runs: number, seed: number): NativeObject[] {
  const outputs = new Map<string, NativeObject>();
  for (const { plane } of randomFleets(runs, seed)) {
    for (const { kind, object } of valuesInOrder(plane.desired)) {
      if (kind === OBJECT_PATCH) continue;
      const { metadata: _metadata, ...rest } = object;
      outputs.set(JSON.stringify(rest), object);
    }
  }
  return [...outputs.values()];
}
