/** Whether the live object already equals what would be applied, so no write is needed. */
import type { KubeObject } from '@meshrelay/api';
import { APPLIED_ANNOTATION } from './marks.ts';

/**
 * True if `live` results from the output with this hash and still has all its fields. Fields that other writers added
 * do not matter.
 */
export function sameAsApplied(live: KubeObject, output: KubeObject, hash: string): boolean {
  return live.metadata.annotations?.[APPLIED_ANNOTATION] === hash && holds(live, output);
}

/**
 * Maps must contain the desired fields. Lists must be equal, since no generated list is merged by key. Missing equals
 * empty.
 */
function holds(live: unknown, output: unknown): boolean {
  if (Object.is(live, output)) return true;
  if (live === undefined || live === null) return isEmpty(output);
  if (typeof live !== 'object' || typeof output !== 'object' || output === null) return false;
  if (Array.isArray(live) || Array.isArray(output)) {
    if (!Array.isArray(live) || !Array.isArray(output) || live.length !== output.length) return false;
    return output.every((item, position) => holds(live[position], item));
  }
  return Object.entries(output).every(([name, value]) => holds((live as Record<string, unknown>)[name], value));
}

function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null) return true;
  return typeof value === 'object' && Object.values(value).every(isEmpty);
}
