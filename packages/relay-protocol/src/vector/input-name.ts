/** Names of inputs in logs and traces, the same in all components. */
import { compareVersions, GONE, type InputVector, type InputVersion } from './input-vector.ts';

/** `cluster/term/seq`; for the management cluster `/Kind/resourceVersion/deletions`. */
export function inputName(component: string, { term, seq }: InputVersion): string {
  return `${component}/${term}/${seq}`;
}

/**
 * The inputs of `next` that are newer than in `before`: the cause of the difference between two output sets. At most
 * `max`.
 */
export function movedInputs(next: InputVector, before: InputVector, max: number): string[] {
  const moved: string[] = [];
  for (const [component, version] of next) {
    if (moved.length === max) break;
    if (version === GONE) continue;
    const known = before.get(component);
    if (known === undefined || known === GONE || compareVersions(version, known) > 0)
      moved.push(inputName(component, version));
  }
  return moved;
}
