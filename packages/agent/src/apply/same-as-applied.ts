/** Whether the cluster's object already is what would be applied, so that nothing is written. */
import type { KubeObject } from '@meshrelay/api';
import { APPLIED_ANNOTATION } from './marks.ts';

/** True when `live` was made of the output with this hash and still has all it said; what others added is theirs. */
export function sameAsApplied(live: KubeObject, wanted: KubeObject, hash: string): boolean {
  return live.metadata.annotations?.[APPLIED_ANNOTATION] === hash && holds(live, wanted);
}

/** Maps hold what is wanted of them; lists are equal, since nothing of ours is merged by key; nothing is as good as empty. */
function holds(live: unknown, wanted: unknown): boolean {
  if (Object.is(live, wanted)) return true;
  if (live === undefined || live === null) return isEmpty(wanted);
  if (typeof live !== 'object' || typeof wanted !== 'object' || wanted === null) return false;
  if (Array.isArray(live) || Array.isArray(wanted)) {
    if (!Array.isArray(live) || !Array.isArray(wanted) || live.length !== wanted.length) return false;
    return wanted.every((item, position) => holds(live[position], item));
  }
  return Object.entries(wanted).every(([name, value]) => holds((live as Record<string, unknown>)[name], value));
}

function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null) return true;
  return typeof value === 'object' && Object.values(value).every(isEmpty);
}
