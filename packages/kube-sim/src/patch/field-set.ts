/** A set of fields of an object: the tree of `managedFields[].fieldsV1`, and its operations. */
import type { JsonObject } from '../object.ts';
import { isObject } from '../schema/json-values.ts';
import { members } from './json-members.ts';
import { compareElements, type PathElement, showElement } from './path-element.ts';

/** A node of the tree: `self` if the field itself is in the set, and the fields below it. Never mutated once built. */
export interface FieldSet {
  readonly self: boolean;
  readonly children: ReadonlyMap<PathElement, FieldSet>;
}

/** The empty set. */
export const NO_FIELDS: FieldSet = { self: false, children: new Map() };

/** The set of the field itself, with nothing below. */
export const THIS_FIELD: FieldSet = { self: true, children: new Map() };

/** True if the set is empty. Sets contain no empty branches, so this does not descend. */
export function isEmptySet(set: FieldSet): boolean {
  return !set.self && set.children.size === 0;
}

/** A node with these children; empty ones are omitted. */
export function fieldSet(self: boolean, children: Iterable<readonly [PathElement, FieldSet]>): FieldSet {
  const retained = new Map<PathElement, FieldSet>();
  for (const [element, child] of children) if (!isEmptySet(child)) retained.set(element, child);
  return !self && retained.size === 0 ? NO_FIELDS : { self, children: retained };
}

/** The set with the field itself added. */
export function withSelf(set: FieldSet): FieldSet {
  return set.self ? set : { self: true, children: set.children };
}

/** The set with exactly the field at the end of a path. */
export function singleField(path: readonly PathElement[]): FieldSet {
  return path.reduceRight((below: FieldSet, element) => fieldSet(false, [[element, below]]), THIS_FIELD);
}

/** The fields in either set. */
export function union(left: FieldSet, right: FieldSet): FieldSet {
  if (isEmptySet(left)) return right;
  if (isEmptySet(right)) return left;
  const children = new Map(left.children);
  for (const [element, child] of right.children) {
    const other = children.get(element);
    children.set(element, other === undefined ? child : union(other, child));
  }
  return { self: left.self || right.self, children };
}

/** The fields of `left` that are not in `right`; fields below a removed one stay. */
export function difference(left: FieldSet, right: FieldSet): FieldSet {
  return fieldSet(
    left.self && !right.self,
    left.children.entries().map(([element, child]) => {
      const other = right.children.get(element);
      return [element, other === undefined ? child : difference(child, other)] as const;
    }),
  );
}

/** The fields of `left` that are neither in `right` nor below a field of `right`. */
export function withoutSubtrees(left: FieldSet, right: FieldSet): FieldSet {
  if (right.self) return NO_FIELDS;
  return fieldSet(
    left.self,
    left.children.entries().map(([element, child]) => {
      const other = right.children.get(element);
      return [element, other === undefined ? child : withoutSubtrees(child, other)] as const;
    }),
  );
}

/** The fields in both sets. */
export function intersection(left: FieldSet, right: FieldSet): FieldSet {
  return fieldSet(
    left.self && right.self,
    left.children.entries().map(([element, child]) => {
      const other = right.children.get(element);
      return [element, other === undefined ? NO_FIELDS : intersection(child, other)] as const;
    }),
  );
}

/** True if both contain the same fields. */
export function equalSets(left: FieldSet, right: FieldSet): boolean {
  return (
    left.self === right.self &&
    left.children.size === right.children.size &&
    left.children.entries().every(([element, child]) => {
      const other = right.children.get(element);
      return other !== undefined && equalSets(child, other);
    })
  );
}

/** The fields as paths in the order of conflict messages: those of a level first, then those below each. */
export function* fieldPaths(set: FieldSet, prefix = ''): Generator<string> {
  const children = sortedChildren(set);
  for (const [element, child] of children) if (child.self) yield prefix + showElement(element);
  for (const [element, child] of children) yield* fieldPaths(child, prefix + showElement(element));
}

/** The set in `fieldsV1` form: `{}` for a field without fields below, `.` for a field that has some. */
export function writeFieldsV1(set: FieldSet): JsonObject {
  const fields: JsonObject = set.self && set.children.size > 0 ? { '.': {} } : {};
  for (const [element, child] of sortedChildren(set)) fields[element] = writeFieldsV1(child);
  return fields;
}

/**
 * The set of a `fieldsV1` value.
 * @throws Error when it contains a step other than `f:`, `k:`, `v:`, `i:` or `.`
 */
export function readFieldsV1(fields: JsonObject): FieldSet {
  return readNode(fields, false);
}

function readNode(fields: JsonObject, nested: boolean): FieldSet {
  const entries = members(fields);
  const children = entries.flatMap(([element, below]) => {
    if (element === '.') return [];
    if (!/^[fkvi]:/.test(element)) throw new Error(`fieldsV1 holds "${element}", expected f:, k:, v:, i: or .`);
    return [[element, readNode(isObject(below) ? below : {}, true)] as const];
  });
  return fieldSet(nested && (children.length === 0 || Object.hasOwn(fields, '.')), children);
}

function sortedChildren(set: FieldSet): [PathElement, FieldSet][] {
  return [...set.children].sort(([left], [right]) => compareElements(left, right));
}
