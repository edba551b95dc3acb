// spec.includedFilterStateObjects of an AccessLogRecord
import { list } from '../../schema/collection.ts';
import type { SpecField } from '../../schema/field.ts';
import { name } from '../../schema/scalar.ts';

/** Names of objects in Envoy's filter state that are logged; omitted or empty: none. */
export type IncludedFilterStateObjects = readonly string[];

export const includedFilterStateObjects: SpecField<IncludedFilterStateObjects> = {
  schema: list(name, { maximum: 100 }),
  examples: [['example.state']],
};
