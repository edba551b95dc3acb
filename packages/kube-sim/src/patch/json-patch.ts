/** JSON patch (RFC 6902): a list of operations that all succeed or all fail. */
import { type Json, type JsonObject, StatusError } from '../object.ts';
import { copyJson, equalJson, isObject, setMember } from '../schema/json-values.ts';
import { getMember } from './json-members.ts';
import { arrayIndex, parsePointer } from './json-pointer.ts';

/** One operation of a JSON patch: `op`, `path`, and `value` or `from`. */
export type JsonPatchOperation = JsonObject;

/** A patch with more operations is rejected, as by the real server. */
const MAX_OPERATIONS = 10_000;

/**
 * A new document with the operations applied; the given one is unchanged.
 * @throws StatusError 400 when the patch is not a list of operations, 413 when there are too many of them, 422 when one
 *   cannot be applied (a missing path, a failed test)
 */
export function applyJsonPatch(document: Json, patch: Json): Json {
  if (!Array.isArray(patch)) throw badPatch('a JSON patch must be a list of operations');
  if (patch.length > MAX_OPERATIONS) throw tooMany(patch.length);
  const operations = patch.map((operation, at) => {
    if (!isObject(operation)) throw badPatch(`JSON patch operation ${at} must be an object`);
    return operation;
  });
  try {
    return operations.reduce((current, operation) => applyOperation(current, operation), copyJson(document));
  } catch (error) {
    throw refused(error);
  }
}

function applyOperation(root: Json, operation: JsonObject): Json {
  const path = parsePointer(text(operation, 'path'));
  switch (text(operation, 'op')) {
    case 'add':
      return add(root, path, copyJson(operand(operation)));
    case 'remove':
      return remove(root, path);
    case 'replace':
      return replace(root, path, copyJson(operand(operation)));
    case 'move':
      return move(root, parsePointer(text(operation, 'from')), path);
    case 'copy':
      return add(root, path, copyJson(lookUp(root, parsePointer(text(operation, 'from')))));
    case 'test':
      return test(root, path, getMember(operation, 'value') ?? null);
    default:
      throw new Error(`operation "${text(operation, 'op')}" is not one of add, remove, replace, move, copy, test`);
  }
}

/** The real server allows replacing a missing member of an object. */
function replace(root: Json, path: string[], value: Json): Json {
  if (path.length === 0) return value;
  const isMember = isObject(lookUp(root, path.slice(0, -1)));
  return add(isMember ? root : remove(root, path), path, value);
}

function move(root: Json, from: string[], path: string[]): Json {
  const value = lookUp(root, from);
  if (path.length > from.length && from.every((token, at) => token === path[at])) {
    throw new Error(`cannot move ${show(from)} into itself`);
  }
  return add(remove(root, from), path, value);
}

/** A missing member equals null, which is how clients test for absence. */
function test(root: Json, path: string[], expected: Json): Json {
  const parent = path.length === 0 ? undefined : lookUp(root, path.slice(0, -1));
  const absent = isObject(parent) && getMember(parent, path.at(-1) as string) === undefined;
  if (!equalJson(absent ? null : lookUp(root, path), expected)) throw new Error(`test of ${show(path)} failed`);
  return root;
}

function lookUp(root: Json, path: string[]): Json {
  let current = root;
  for (const token of path) {
    const next = Array.isArray(current)
      ? current[token === '-' ? -1 : (arrayIndex(token, current.length) ?? -1)]
      : isObject(current)
        ? getMember(current, token)
        : undefined;
    if (next === undefined) throw new Error(`${show(path)} does not exist`);
    current = next;
  }
  return current;
}

function add(root: Json, path: string[], value: Json): Json {
  const last = path.at(-1);
  if (last === undefined) return value;
  const parent = lookUp(root, path.slice(0, -1));
  if (Array.isArray(parent)) {
    const index = arrayIndex(last, parent.length);
    if (index === undefined || index > parent.length) throw new Error(`${show(path)} is not an index of its list`);
    parent.splice(index, 0, value);
  } else if (isObject(parent)) {
    setMember(parent, last, value);
  } else {
    throw new Error(`${show(path)} has no list or object to stand in`);
  }
  return root;
}

function remove(root: Json, path: string[]): Json {
  lookUp(root, path);
  const last = path.at(-1);
  if (last === undefined) return null;
  const parent = lookUp(root, path.slice(0, -1));
  if (Array.isArray(parent)) parent.splice(Number(last), 1);
  else delete (parent as JsonObject)[last];
  return root;
}

function text(operation: JsonObject, name: string): string {
  const value = getMember(operation, name);
  if (typeof value !== 'string') throw new Error(`operation ${JSON.stringify(operation)} needs a string "${name}"`);
  return value;
}

function operand(operation: JsonObject): Json {
  const value = getMember(operation, 'value');
  if (value === undefined) throw new Error(`operation ${JSON.stringify(operation)} needs a "value"`);
  return value;
}

function show(path: string[]): string {
  return `/${path.join('/')}`;
}

function badPatch(message: string): StatusError {
  return new StatusError({ code: 400, reason: 'BadRequest', message });
}

function tooMany(count: number): StatusError {
  return new StatusError({
    code: 413,
    reason: 'RequestEntityTooLarge',
    message: `The allowed maximum operations in a JSON patch is ${MAX_OPERATIONS}, got ${count}`,
  });
}

/** The real server hides which operation failed; the simulator adds it as the cause, for debugging. */
function refused(cause: unknown): StatusError {
  const error = new StatusError({
    code: 422,
    reason: 'Invalid',
    message: 'the server rejected our request due to an error in our request',
    details: {},
  });
  error.cause = cause;
  return error;
}
