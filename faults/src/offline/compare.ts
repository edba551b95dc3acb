/** I4: at rest every cluster has exactly the result of a translation from scratch. */
import type { FaultFleet } from '../fleet/fault-fleet.ts';
import { isOutput } from '../history/history.ts';
import type { Expected } from './translate.ts';

type Json = unknown;

/** Missing, superfluous and different objects, as sentences. */
export function differences(fleet: FaultFleet, expected: readonly Expected[]): string[] {
  const problems: string[] = [];
  for (const { plan, sim } of fleet.workloads) {
    const present = new Map(
      sim
        .snapshot()
        .filter((object) => isOutput({ object }))
        .map((object) => [keyOf(object), object]),
    );
    for (const { object } of expected.filter(({ cluster }) => cluster === plan.name)) {
      const key = keyOf(object);
      const found = present.get(key);
      present.delete(key);
      if (found === undefined) problems.push(`${plan.name} lacks ${key}`);
      else {
        const path = firstDifference(object, found, key);
        if (path !== undefined) problems.push(`${plan.name}: ${path}`);
      }
    }
    for (const key of present.keys()) problems.push(`${plan.name} has ${key}, which nothing asks for`);
  }
  return problems;
}

/** The object's kind and name, for sentences. */
export function keyOf({
  kind,
  metadata,
}: {
  readonly kind: string;
  readonly metadata: { namespace?: string; name: string };
}): string {
  return `${kind} ${metadata.namespace ?? ''}/${metadata.name}`;
}

/**
 * Where the found object differs from the desired one. Ignores fields that only the API server adds at the top of
 * metadata.
 */
function firstDifference(expected: Json, found: Json, path: string): string | undefined {
  if (isObject(expected) && isObject(found)) {
    for (const [field, value] of Object.entries(expected)) {
      const inner = firstDifference(value, found[field], `${path}.${field}`);
      if (inner !== undefined) return inner;
    }
    const surplus = path.includes('.spec') ? Object.keys(found).find((field) => !(field in expected)) : undefined;
    return surplus === undefined ? undefined : `${path}.${surplus} is there, and nothing asks for it`;
  }
  if (Array.isArray(expected) && Array.isArray(found) && expected.length === found.length) {
    for (const [index, value] of expected.entries()) {
      const inner = firstDifference(value, found[index], `${path}[${index}]`);
      if (inner !== undefined) return inner;
    }
    return undefined;
  }
  if (expected === found) return undefined;
  return `${path} is ${JSON.stringify(found)}, wanted ${JSON.stringify(expected)}`;
}

function isObject(value: Json): value is Record<string, Json> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
