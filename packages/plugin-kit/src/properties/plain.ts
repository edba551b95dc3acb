/** Outputs and reports are plain JSON, and are complete when the function returns. */
import { loaded } from '../tested-plugin.ts';
import { built } from './outcome.ts';
import type { Property } from './property.ts';
import { type Handed, placeOf, watched } from './watched.ts';

/**
 * Objects, parts, patches and reports contain only strings, finite numbers, true, false, null, lists and plain objects,
 * recursively.
 */
export const writesPlainJson: Property = (tested, fleets) => {
  for (const { name, fleet } of fleets) {
    let first: string | undefined;
    const see = (handed: Handed) => {
      const problem = first === undefined ? handedProblem(handed) : undefined;
      if (problem !== undefined) first = `${name}: ${placeOf(handed)}: ${problem}`;
    };
    try {
      built(
        fleet,
        loaded(tested).map((one) => watched(one, see)),
      );
    } catch (cause) {
      // A value that is not JSON may stop a stage, whose error says less about it.
      if (first === undefined) throw cause;
    }
    if (first !== undefined) throw new Error(first);
  }
};

function handedProblem({ call, what, value }: Handed): string | undefined {
  if (isPromise(value)) return 'it returns a promise; translations are synchronous, and write before they return';
  if (call !== 'assemble' && what === 'what it returns') return undefined;
  const problem = jsonProblem(value, '', []);
  return problem === undefined
    ? undefined
    : `${what}: ${problem}; write plain JSON, which is the same wherever it is read`;
}

function isPromise(value: unknown): boolean {
  return typeof (value as { readonly then?: unknown } | null | undefined)?.then === 'function';
}

/** The part of a value that is not JSON, with its location; undefined if all of it is. */
function jsonProblem(value: unknown, path: string, around: readonly unknown[]): string | undefined {
  const wrong = (what: string) => `${path === '' ? 'it' : path} is ${what}`;
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return undefined;
    case 'number':
      return Number.isFinite(value) ? undefined : wrong(String(value));
    case 'object':
      break;
    case 'undefined':
      return wrong('undefined: leave the field out');
    default:
      return wrong(`a ${typeof value}`);
  }
  if (value === null) return undefined;
  if (around.includes(value)) return wrong('an object that it is part of itself');
  if (!Array.isArray(value) && !isPlain(value)) return wrong(`a ${value.constructor?.name ?? 'strange object'}`);
  for (const [name, member] of Array.isArray(value) ? value.entries() : Object.entries(value)) {
    const problem = jsonProblem(member, path === '' ? String(name) : `${path}.${name}`, [...around, value]);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

/** Objects of another JavaScript context are plain, too. */
function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}
