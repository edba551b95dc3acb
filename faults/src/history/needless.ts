/** I10: no output is written unchanged, and none is written only to be reverted. */

import type { Entitlement } from './entitlement.ts';
import { AGENT_USER, isOutput, nameOf, type Write } from './history.ts';

/** The agent's annotations on an output: its last writer and its sources; a mesh ignores them. */
const NOTES = ['meshrelay.dev/term', 'meshrelay.dev/applied'];

/**
 * Writes of outputs by agents that change nothing, and objects that are deleted and recreated although the row removed
 * nothing.
 */
export function needlessWrites(writes: readonly Write[], { deletion }: Entitlement): string[] {
  const problems: string[] = [];
  const deleted = new Map<string, string>();
  for (const write of writes) {
    if (!isOutput(write)) continue;
    const name = nameOf(write);
    const user = write.actor?.user ?? '';
    const byAgent = AGENT_USER.test(user);
    if (write.type === 'MODIFIED' && byAgent && write.previous !== undefined) {
      // A new leader writes an object once if a former leader may still have a write of it in flight.
      const sameTerm = termOf(write.previous) === termOf(write.object);
      if (sameTerm && contentOf(write.previous) === contentOf(write.object))
        problems.push(`${user} wrote ${name} as it was`);
    }
    if (write.type === 'ADDED' && byAgent && deleted.get(name) === contentOf(write.object))
      problems.push(`${name} was deleted and made again`);
    if (write.type === 'DELETED' && byAgent && !deletion(write)) deleted.set(name, contentOf(write.object));
    else deleted.delete(name);
  }
  return problems;
}

function termOf({ metadata }: Write['object']): string {
  return metadata.annotations?.['meshrelay.dev/term'] ?? '';
}

/** The fields of an object that a mesh reads. */
function contentOf({ metadata, ...rest }: Write['object']): string {
  const annotations = Object.entries(metadata.annotations ?? {}).filter(([key]) => !NOTES.includes(key));
  return JSON.stringify([rest, metadata.labels ?? {}, annotations.sort()]);
}
