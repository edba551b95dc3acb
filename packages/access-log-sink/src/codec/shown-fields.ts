/** Fields to decode of an entry that is shown to a reader. */
import { RELATION_FIELDS } from '../entry/access-log-entry.ts';
import type { FieldName } from '../entry/access-log-fields.ts';
import type { CompiledRules } from '../filter/compiled-rules.ts';
import { ALL_FIELDS, type Projection, projectionOf } from './projection.ts';

const known = new WeakMap<readonly FieldName[], WeakMap<CompiledRules, Projection>>();

/**
 * The requested fields (all if undefined), those that determine order, source and destination, and those that rules
 * need in order to show it.
 */
export function shownFields(fields: readonly FieldName[] | undefined, rules: CompiledRules): Projection {
  if (fields === undefined) return ALL_FIELDS;
  const byRules = known.get(fields) ?? new WeakMap<CompiledRules, Projection>();
  known.set(fields, byRules);
  const projection = byRules.get(rules) ?? projectionOf([...fields, ...RELATION_FIELDS, ...rules.needs, 'startTime']);
  byRules.set(rules, projection);
  return projection;
}
