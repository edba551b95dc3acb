/** What random fleets come to, for those who judge objects one by one. */
import { type NativeObject, OBJECT_PATCH, valuesInOrder } from '@meshrelay/relay-core';
import fc from 'fast-check';
import { histories } from './histories.ts';
import { live } from './laws.ts';

/** The objects that are wanted at the end of so many random histories; those that differ in nothing but their names once. */
export function randomOutputs(runs: number, seed: number): NativeObject[] {
  const outputs = new Map<string, NativeObject>();
  for (const history of fc.sample(histories, { numRuns: runs, seed })) {
    for (const { kind, object } of valuesInOrder(live(history).fleet.plane.desired)) {
      if (kind === OBJECT_PATCH) continue;
      const { metadata: _metadata, ...rest } = object;
      outputs.set(JSON.stringify(rest), object);
    }
  }
  return [...outputs.values()];
}
