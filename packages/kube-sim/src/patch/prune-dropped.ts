/** What an apply takes away: fields its manager applied before, does not apply now, and nobody else owns. */
import type { JsonObject, SchemaNode } from '../object.ts';
import { difference, type FieldSet, intersection, isEmptySet, union } from './field-set.ts';
import type { Managers } from './managers.ts';
import { ownedFields, withDeclaredParents } from './owned-fields.ts';
import { removeFields } from './remove-fields.ts';
import { NEVER_OWNED } from './track-fields.ts';

/**
 * The merged object without the dropped fields. A list item or map the manager had brought goes whole when nobody owns
 * anything in it; what stands beside dropped fields without an owner stays.
 * @param last what the manager owned before this apply
 * @param managers all owners, with what the manager owns by this apply
 */
export function pruneDropped(schema: SchemaNode, merged: JsonObject, last: FieldSet, managers: Managers): JsonObject {
  if (isEmptySet(last)) return merged;
  const parents = (set: FieldSet): FieldSet => withDeclaredParents(schema, merged, set);
  const cut = (fields: FieldSet): JsonObject => removeFields(schema, merged, fields);

  const everything = parents(ownedFields(schema, merged));
  const owned = parents([...managers.values()].map(({ fields }) => fields).reduce(union, NEVER_OWNED));
  const dropped = parents(last);
  const untouched = parents(ownedFields(schema, cut(dropped)));
  const retained = cut(difference(everything, union(untouched, owned)));
  const gone = difference(everything, parents(ownedFields(schema, retained)));
  return cut(intersection(gone, dropped));
}
