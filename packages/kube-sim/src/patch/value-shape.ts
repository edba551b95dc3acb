/**
 * How the schema splits a value into separately owned fields: whole (a scalar, an atomic list or map), by member, or by
 * item.
 */
import type { Json, JsonObject, SchemaNode } from '../object.ts';
import { isObject } from '../schema/json-values.ts';
import { getMember } from './json-members.ts';
import { keyElement, type PathElement, valueElement } from './path-element.ts';

/** A value that is owned as a whole. */
export interface LeafShape {
  readonly kind: 'leaf';
}

/** An object whose members are owned separately. */
export interface MapShape {
  readonly kind: 'map';
  /** The schema of a member. `declared` is false for the keys of a map and for unknown members that are preserved. */
  member(name: string): {
    readonly schema: SchemaNode | undefined;
    readonly declared: boolean;
    readonly allowed: boolean;
  };
}

/** A list whose items are owned separately. */
export interface ListShape {
  readonly kind: 'list';
  readonly items: SchemaNode | undefined;
  /** The step to an item. Items without any key share the step `k:{}`; items that are not objects count as values. */
  element(item: Json): PathElement;
}

/** How a value is split into fields. */
export type Shape = LeafShape | MapShape | ListShape;

/** The schema of preserved content without a schema: objects are split, lists are whole. */
const UNKNOWN_CONTENT: SchemaNode = { 'x-kubernetes-preserve-unknown-fields': true };

const LEAF: LeafShape = { kind: 'leaf' };

/** How this value is split under this schema. Null has the shape that the schema declares. */
export function shapeOf(schema: SchemaNode | undefined, value: Json): Shape {
  if (schema === undefined) return LEAF;
  if (Array.isArray(value) || (value === null && schema.type === 'array')) return listShape(schema);
  if (isObject(value) || (value === null && holdsMembers(schema))) return mapShape(schema);
  return LEAF;
}

function holdsMembers(schema: SchemaNode): boolean {
  return (
    schema.properties !== undefined ||
    schema.additionalProperties !== undefined ||
    schema['x-kubernetes-preserve-unknown-fields'] === true ||
    schema['x-kubernetes-embedded-resource'] === true
  );
}

function mapShape(schema: SchemaNode): Shape {
  if (schema['x-kubernetes-map-type'] === 'atomic') return LEAF;
  return { kind: 'map', member: (name) => memberOf(schema, name) };
}

function memberOf(schema: SchemaNode, name: string): ReturnType<MapShape['member']> {
  const declared = schema.properties !== undefined && Object.hasOwn(schema.properties, name);
  if (declared) return { schema: schema.properties?.[name], declared, allowed: true };
  const embedded = schema['x-kubernetes-embedded-resource'] === true;
  if (embedded && ['apiVersion', 'kind', 'metadata'].includes(name)) {
    return { schema: UNKNOWN_CONTENT, declared: true, allowed: true };
  }
  if (typeof schema.additionalProperties === 'object') {
    return { schema: schema.additionalProperties, declared, allowed: true };
  }
  const allowed = schema['x-kubernetes-preserve-unknown-fields'] === true || schema.additionalProperties === true;
  return { schema: UNKNOWN_CONTENT, declared, allowed };
}

function listShape(schema: SchemaNode): Shape {
  const items = schema.items;
  switch (schema['x-kubernetes-list-type']) {
    case 'set':
      return { kind: 'list', items, element: valueElement };
    case 'map':
      return { kind: 'list', items, element: (item) => keyedElement(schema, item) };
    default:
      return LEAF;
  }
}

/** A missing key of an item has its default; a key without default is omitted from the step too. */
function keyedElement(schema: SchemaNode, item: Json): PathElement {
  if (!isObject(item)) return valueElement(item);
  return keyElement((schema['x-kubernetes-list-map-keys'] ?? []).flatMap((name) => keyOf(schema, item, name)));
}

function keyOf(schema: SchemaNode, item: JsonObject, name: string): [string, Json][] {
  const value = getMember(item, name) ?? schema.items?.properties?.[name]?.default;
  return value === undefined ? [] : [[name, value]];
}
