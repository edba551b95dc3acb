/** What is decoded of an entry that is shown to somebody. */
import { RELATION_FIELDS } from '../entry/access-log-entry.ts';
import type { FieldName } from '../entry/access-log-fields.ts';
import type { CompiledRules } from '../filter/compiled-rules.ts';
import { ALL_FIELDS, type Projection, projectionOf } from './projection.ts';

const known = new WeakMap<readonly FieldName[], WeakMap<CompiledRules, Projection>>();

/** The fields asked for (all of them where undefined), those by which an entry gets its place and its ends, and those that rules look at in order to show it. */
export function shownFields(fields: readonly FieldName[] | undefined, rules: CompiledRules): Projection {
  if (fields === undefined) return ALL_FIELDS;
  const byRules = known.get(fields) ?? new WeakMap<CompiledRules, Projection>();
  known.set(fields, byRules);
  const projection = byRules.get(rules) ?? projectionOf([...fields, ...RELATION_FIELDS, ...rules.needs, 'startTime']);
  byRules.set(rules, projection);
  return projection;
}
