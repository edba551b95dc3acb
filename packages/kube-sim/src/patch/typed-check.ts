/** Checks that an applied object can be split into fields: its shape, not the rules of its values. */
import { type Json, type KubeObject, type SchemaNode, StatusError } from '../object.ts';
import { isObject } from '../schema/json-values.ts';
import { members } from './json-members.ts';
import { keyElement, memberElement, showElement } from './path-element.ts';
import { asJson } from './track-fields.ts';
import { type MapShape, shapeOf } from './value-shape.ts';

/** The step to an item without any of its keys. */
const NO_KEYS = keyElement([]);

/**
 * Rejects an applied object with undeclared fields, values of another type, or list items with the same key.
 * @throws StatusError 500 without a reason, as in the real server
 */
export function checkTyped(schema: SchemaNode, applied: KubeObject): void {
  const faults = [...findFaults(schema, asJson(applied), '')];
  if (faults.length === 0) return;
  const list = faults.length === 1 ? faults[0] : `errors:\n${faults.map((fault) => `  ${fault}`).join('\n')}`;
  const { namespace = '', name = '' } = applied.metadata ?? {};
  const { apiVersion, kind } = applied;
  throw new StatusError({
    code: 500,
    reason: '',
    message: `failed to create typed patch object (${namespace}/${name}; ${apiVersion}, Kind=${kind}): ${list}`,
  });
}

function* findFaults(schema: SchemaNode | undefined, value: Json, path: string): Generator<string> {
  if (schema?.type === undefined || value === null) return;
  const mismatch = typeFault(schema, value);
  if (mismatch !== undefined) {
    yield `${path}: ${mismatch}`;
    return;
  }
  if (Array.isArray(value)) yield* itemFaults(schema, value, path);
  else if (isObject(value)) yield* memberFaults(schema, value, path);
}

function* memberFaults(schema: SchemaNode, value: { [name: string]: Json }, path: string): Generator<string> {
  // An atomic map is owned as a whole, but its members are checked like any other's.
  const shape = shapeOf({ ...schema, 'x-kubernetes-map-type': 'granular' }, value) as MapShape;
  for (const [name, member] of members(value)) {
    const at = path + showElement(memberElement(name));
    const { schema: below, allowed } = shape.member(name);
    if (allowed) yield* findFaults(below, member, at);
    else yield `${at}: field not declared in schema`;
  }
}

function* itemFaults(schema: SchemaNode, items: Json[], path: string): Generator<string> {
  const shape = shapeOf(schema, items);
  const seen = new Set<string>();
  for (const [at, item] of items.entries()) {
    if (shape.kind !== 'list') {
      yield* findFaults(schema.items, item, `${path}[${at}]`);
      continue;
    }
    const element = shape.element(item);
    const fault = identityFault(schema, item, element);
    if (fault !== undefined) {
      yield `${path}: element ${at}: ${fault}`;
      return;
    }
    if (seen.has(element)) yield `${path}: duplicate entries for key ${showElement(element)}`;
    seen.add(element);
    yield* findFaults(schema.items, item, path + showElement(element));
  }
}

function identityFault(schema: SchemaNode, item: Json, element: string): string | undefined {
  if (schema['x-kubernetes-list-type'] === 'set') return undefined;
  if (item === null) return 'associative list with keys may not have a null element';
  if (!isObject(item)) return 'associative list with keys may not have non-map elements';
  if (element !== NO_KEYS) return undefined;
  const keys = (schema['x-kubernetes-list-map-keys'] ?? []).map((key) => JSON.stringify(key)).join(' ');
  return `associative list with keys has an element that omits all key fields [${keys}] (and doesn't have default values for any key fields)`;
}

function typeFault(schema: SchemaNode, value: Json): string | undefined {
  switch (schema.type) {
    case 'string':
      return typeof value === 'string'
        ? undefined
        : `expected string, got &value.valueUnstructured{Value:${goSyntax(value)}}`;
    case 'integer':
    case 'number':
      return typeof value === 'number' ? undefined : `expected numeric (int or float), got ${goType(value)}`;
    case 'boolean':
      return typeof value === 'boolean' ? undefined : `expected boolean, got ${showPointer(value)}`;
    case 'array':
      return Array.isArray(value) ? undefined : `expected list, got ${showPointer(value)}`;
    case 'object':
      return isObject(value) ? undefined : `expected map, got ${showPointer(value)}`;
    default:
      return undefined;
  }
}

function goType(value: Json): string {
  if (typeof value === 'string') return 'string';
  if (typeof value === 'boolean') return 'bool';
  return Array.isArray(value) ? '[]interface {}' : 'map[string]interface {}';
}

/** A value as Go prints it with %#v. */
function goSyntax(value: Json): string {
  if (Array.isArray(value)) return `[]interface {}{${value.map(goSyntax).join(', ')}}`;
  if (!isObject(value)) return value === null ? 'interface {}(nil)' : JSON.stringify(value);
  const entries = members(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `map[string]interface {}{${entries.map(([name, member]) => `${JSON.stringify(name)}:${goSyntax(member)}`).join(', ')}}`;
}

/** A value as Go prints a pointer to its holder with %v. */
function showPointer(value: Json): string {
  return `&{${goText(value)}}`;
}

function goText(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(goText).join(' ')}]`;
  if (!isObject(value)) return value === null ? '<nil>' : String(value);
  const entries = members(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `map[${entries.map(([name, member]) => `${name}:${goText(member)}`).join(' ')}]`;
}
