/**
 * One step of a path in `fieldsV1`, in its serialised form: `f:name` (a member), `k:{"port":80}` (a list item by its
 * keys), `v:"x"` (an item of a set) or `i:0` (an index).
 */
import type { Json } from '../object.ts';
import { isObject } from '../schema/json-values.ts';
import { members } from './json-members.ts';

/** A serialised step; equal steps are equal strings. */
export type PathElement = string;

/** The step to a member of an object. */
export function memberElement(name: string): PathElement {
  return `f:${name}`;
}

/** The step to the item of a keyed list with these key values. */
export function keyElement(keys: readonly (readonly [string, Json])[]): PathElement {
  const sorted = keys.toSorted(([a], [b]) => (a < b ? -1 : 1));
  return `k:${writeJson(Object.fromEntries(sorted))}`;
}

/** The step to a value in a set. */
export function valueElement(value: Json): PathElement {
  return `v:${writeJson(value)}`;
}

/** The order of steps in `fieldsV1`: members, keyed items, set values, indices, each in their own order. */
export function compareElements(left: PathElement, right: PathElement): number {
  const rank = KINDS.indexOf(left.charAt(0)) - KINDS.indexOf(right.charAt(0));
  if (rank !== 0) return rank;
  if (left.startsWith('f:')) return compareText(left, right);
  return compareJson(JSON.parse(left.slice(2)), JSON.parse(right.slice(2)));
}
const KINDS = 'fkvi';

/** A step in error messages: `.name`, `[port=80,protocol="TCP"]`, `[="x"]`, `[0]`. */
export function showElement(element: PathElement): string {
  const content = element.slice(2);
  switch (element.charAt(0)) {
    case 'f':
      return `.${content}`;
    case 'k': {
      const keys = members(JSON.parse(content)).map(([name, value]) => `${name}=${JSON.stringify(value)}`);
      return `[${keys.join(',')}]`;
    }
    case 'v':
      return `[=${content}]`;
    default:
      return `[${content}]`;
  }
}

/** JSON as the real server writes it inside a step: characters with a meaning in HTML are escaped. */
function writeJson(value: Json): string {
  return JSON.stringify(value).replace(
    /[<>&\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

const TYPES = ['number', 'string', 'boolean', 'list', 'object', 'null'];

function typeRank(value: Json): number {
  if (value === null) return TYPES.indexOf('null');
  return TYPES.indexOf(Array.isArray(value) ? 'list' : typeof value);
}

function compareJson(left: Json, right: Json): number {
  const rank = typeRank(left) - typeRank(right);
  if (rank !== 0) return rank;
  if (typeof left === 'number') return left - (right as number);
  if (!isObject(left)) return compareText(String(left), String(right));
  const others = members(right as { [name: string]: Json });
  for (const [at, [name, value]] of members(left).entries()) {
    const other = others[at];
    if (other === undefined) return 1;
    const order = compareText(name, other[0]) || compareJson(value, other[1]);
    if (order !== 0) return order;
  }
  return members(left).length - others.length;
}

function compareText(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0;
}
