/** Checks that a plugin's capability table matches its behaviour. */
import { nearest } from '@meshrelay/api';
import { VIEW_FIELDS } from '@meshrelay/plugin';
import type { Check } from '../check.ts';
import type { TestedPlugin } from '../tested-plugin.ts';
import { proveCapability } from './prove.ts';

/** One check for each field of the views, and one for unknown fields in the table. */
export function capabilityChecks(tested: TestedPlugin): readonly Check[] {
  const nothingElse = {
    name: 'capability: the table speaks of fields of the views alone',
    run: () => refuseUnknownFields(tested),
  };
  const fields = VIEW_FIELDS.map((field) => ({
    name: `capability ${field}`,
    run: () => {
      const { problem } = proveCapability(tested, field);
      if (problem !== undefined) throw new Error(`plugin ${tested.plugin.name}, ${field}: ${problem}`);
    },
  }));
  return [nothingElse, ...fields];
}

function refuseUnknownFields({ plugin }: TestedPlugin): void {
  const known: readonly string[] = VIEW_FIELDS;
  for (const field of Object.keys(plugin.capabilities).filter((one) => !known.includes(one))) {
    const meant = nearest(field, known);
    const hint = meant === undefined ? '' : `; is ${meant} meant?`;
    throw new Error(
      `plugin ${plugin.name}: its capability table has ${field}, which is not a field of the views${hint}`,
    );
  }
}
