/** Outputs of random fleets, for checks other than the properties. */
import { type ControlPlane, type NativeObject, OBJECT_PATCH, valuesInOrder } from '@meshrelay/relay-core';
import fc from 'fast-check';
import type { Placed } from './fleets/fleet.ts';
import { histories } from './fleets/histories.ts';
import { fromScratch, ledgerOf } from './fleets/state.ts';
import { live } from './invariants/invariants.ts';

/** A random fleet at the end of its history. */
export interface RandomFleet {
  /** The existing objects; '' is the management cluster. */
  readonly state: readonly Placed[];
  readonly plane: ControlPlane;
  /** The same fleet without one of the objects, with the same decisions. */
  readonly without: (left: Placed) => ControlPlane;
}

/** The given number of random fleets, one after the other, because each takes some memory. */
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

/** The desired objects of the given number of random fleets; objects that differ only in their names appear once. */
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
