/** Checks that a plugin's capability table matches its behaviour. */
import { nearest } from '@meshrelay/api';
import { VIEW_FIELDS, type ViewField } from '@meshrelay/plugin';
import type { Check } from '../check.ts';
import type { TestedPlugin } from '../tested-plugin.ts';
import { missingFact, proveCapability } from './prove.ts';

/**
 * By fields of the views, the facts that objects of the mesh must have for the kit's probe of the field, such as
 * `VirtualService.spec.http.timeout = 3s`, or `cluster-1: VirtualService...` of one cluster; after `not `, the beginning of
 * facts that they must not have.
 */
export type ExpectedFacts = Readonly<Partial<Record<ViewField, readonly string[]>>>;

/** One check for each field of the views, and one for unknown fields in the table. */
export function capabilityChecks(tested: TestedPlugin, expected: ExpectedFacts = {}): readonly Check[] {
  const nothingElse = {
    name: 'capability: the table speaks of fields of the views alone',
    run: () => refuseUnknownFields(tested),
  };
  const fields = VIEW_FIELDS.map((field) => ({
    name: `capability ${field}`,
    run: () => {
      const { problem } = proveCapability(tested, field);
      const wrong = problem ?? missingFact(tested, field, expected[field] ?? []);
      if (wrong !== undefined) throw new Error(`plugin ${tested.plugin.name}, ${field}: ${wrong}`);
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
