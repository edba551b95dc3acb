/** Checks that a plugin's capability table tells the truth. */
import { VIEW_FIELDS } from '@meshrelay/relay-core';
import type { Check } from '../check.ts';
import type { TestedPlugin } from '../tested-plugin.ts';
import { proveCapability } from './prove.ts';

/** One check for each field of the views. */
export function capabilityChecks(tested: TestedPlugin): readonly Check[] {
  return VIEW_FIELDS.map((field) => ({
    name: `capability ${field}`,
    run: () => {
      const { problem } = proveCapability(tested, field);
      if (problem !== undefined) throw new Error(`plugin ${tested.plugin.name}, ${field}: ${problem}`);
    },
  }));
}
