/** The values that differ between two versions of an object. */
import { deepEqual } from '../graph/deep-equal.ts';
import type { FieldChange } from './document.ts';

/**
 * In the order of the fields. Lists are compared from both ends, so that an inserted element is one change, not many.
 */
export function fieldChanges(before: unknown, after: unknown, path: string = ''): FieldChange[] {
  if (deepEqual(before, after)) return [];
  if (Array.isArray(before) && Array.isArray(after)) return inLists(before, after, path);
  if (!isRecord(before) || !isRecord(after)) return [{ path, before, after }];
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return names.flatMap((name) => {
    const at = memberPath(path, name);
    if (!(name in before)) return [{ path: at, after: after[name] }];
    if (!(name in after)) return [{ path: at, before: before[name] }];
    return fieldChanges(before[name], after[name], at);
  });
}

function inLists(before: readonly unknown[], after: readonly unknown[], path: string): FieldChange[] {
  const shorter = Math.min(before.length, after.length);
  let head = 0;
  while (head < shorter && deepEqual(before[head], after[head])) head++;
  let tail = 0;
  while (tail < shorter - head && deepEqual(before.at(-1 - tail), after.at(-1 - tail))) tail++;
  const gone = before.slice(head, before.length - tail);
  const come = after.slice(head, after.length - tail);
  const both = Math.min(gone.length, come.length);
  const at = (index: number) => `${path}[${head + index}]`;
  return [
    ...gone.slice(0, both).flatMap((element, index) => fieldChanges(element, come[index], at(index))),
    ...gone.slice(both).map((element, index) => ({ path: at(both + index), before: element })),
    ...come.slice(both).map((element, index) => ({ path: at(both + index), after: element })),
  ];
}

/** Names that would make a path ambiguous are quoted, as labels are. */
function memberPath(path: string, name: string): string {
  if (!/^[\w-]+$/.test(name)) return `${path}[${JSON.stringify(name)}]`;
  return path === '' ? name : `${path}.${name}`;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
