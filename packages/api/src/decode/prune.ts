// Drops unknown fields from an object.
import type * as z from 'zod/mini';
import type { JsonFields } from './tidy.ts';

/**
 * A copy of `candidate` without the unknown fields in `issues`, and without its status if that does not fit. Undefined
 * if other problems would remain.
 */
export function pruned(candidate: JsonFields, issues: readonly z.core.$ZodIssue[]): JsonFields | undefined {
  const copy = JSON.parse(JSON.stringify(candidate)) as Record<string, unknown>;
  for (const issue of issues) {
    if (issue.code === 'unrecognized_keys') removeKeys(copy, issue);
    else if (issue.path[0] === 'status') delete copy['status'];
    else return undefined;
  }
  return copy;
}

function removeKeys(root: Record<string, unknown>, { path, keys }: z.core.$ZodIssueUnrecognizedKeys): void {
  let holder: unknown = root;
  for (const step of path) holder = (holder as Record<PropertyKey, unknown> | undefined)?.[step];
  // Another issue already removed the status.
  if (holder !== undefined) for (const key of keys) delete (holder as Record<string, unknown>)[key];
}
