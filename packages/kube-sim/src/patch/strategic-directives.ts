/** The directives of a strategic merge patch: their names, and their removal. */
import { type Json, type JsonObject, type SchemaNode, StatusError } from '../object.ts';
import { isObject, setMember } from '../schema/json-values.ts';
import { getMember, members } from './json-members.ts';

/** `delete`, `replace` or `merge`, in an object or a list item. */
export const DIRECTIVE = '$patch';
/** The keys an object may keep. */
export const RETAIN_KEYS = '$retainKeys';
/** Followed by the name of a list of values: the values to delete from it. */
export const DELETE_FROM_LIST = '$deleteFromPrimitiveList/';
/** Followed by the name of a list: the order of its items. */
export const ELEMENT_ORDER = '$setElementOrder/';

/** The schema of a member for merging: a declared one, or that of a map's values. */
export function patchSchema(schema: SchemaNode | undefined, name: string): SchemaNode | undefined {
  const properties = schema?.properties;
  if (properties !== undefined && Object.hasOwn(properties, name)) return properties[name];
  return typeof schema?.additionalProperties === 'object' ? schema.additionalProperties : undefined;
}

/**
 * A patch value as stored without a previous value: without directives and nulls; undefined if it is only a directive.
 */
export function withoutDirectives(value: Json): Json | undefined {
  if (Array.isArray(value)) return value.flatMap((item) => withoutDirectives(item) ?? []);
  if (!isObject(value)) return value;
  if (getMember(value, DIRECTIVE) !== undefined && value[DIRECTIVE] !== 'merge') return undefined;
  const plain: JsonObject = {};
  for (const [name, member] of members(value)) {
    const retained = member === null || isDirective(name) ? undefined : withoutDirectives(member);
    if (retained !== undefined) setMember(plain, name, retained);
  }
  return plain;
}

function isDirective(name: string): boolean {
  return (
    name === DIRECTIVE || name === RETAIN_KEYS || name.startsWith(DELETE_FROM_LIST) || name.startsWith(ELEMENT_ORDER)
  );
}

/** The value as a list. @throws StatusError 400 when it is not a list */
export function asList(value: Json, name: string): Json[] {
  if (Array.isArray(value)) return value;
  throw strategicError(400, `expected a list for ${name}, got ${JSON.stringify(value)}`);
}

/** The error for a patch that cannot be applied: 400 if it is malformed, otherwise 500 as in the real server. */
export function strategicError(code: 400 | 500, message: string): StatusError {
  return new StatusError({ code, reason: code === 400 ? 'BadRequest' : 'InternalError', message });
}
