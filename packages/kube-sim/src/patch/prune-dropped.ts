/** Fields that an apply removes: its manager applied them before, omits them now, and no other manager owns them. */
import type { JsonObject, SchemaNode } from '../object.ts';
import { difference, type FieldSet, intersection, isEmptySet, union } from './field-set.ts';
import type { Managers } from './managers.ts';
import { ownedFields, withDeclaredParents } from './owned-fields.ts';
import { removeFields } from './remove-fields.ts';
import { NEVER_OWNED } from './track-fields.ts';

/**
 * The merged object without the dropped fields. A list item or map that the manager added is removed whole if no
 * manager owns anything in it; unowned siblings of dropped fields stay.
 * @param last fields that the manager owned before this apply
 * @param managers all owners, with the manager's fields from this apply
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
