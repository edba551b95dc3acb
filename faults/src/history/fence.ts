/** I5: once a term has begun in a cluster, only who began it updates or deletes outputs there. */
import { AGENT_USER, isOutput, nameOf, type Write } from './history.ts';

interface Term {
  readonly number: number;
  readonly holder: string;
}

/** Updates and deletes that landed in a term of somebody else's. */
export function outdatedWrites(writes: readonly Write[]): string[] {
  const terms = new Map<string, Term>();
  return writes.flatMap((write) => {
    const { cluster, resource, object, actor } = write;
    const user = actor?.user;
    if (user === undefined || !AGENT_USER.test(user)) return [];
    const term = terms.get(cluster);
    if (resource === 'outputledgers') {
      const begun = termOf(object);
      if (begun > (term?.number ?? 0)) terms.set(cluster, { number: begun, holder: user });
      return [];
    }
    if (term === undefined || term.holder === user || write.type === 'ADDED' || !isOutput(write)) return [];
    const what = write.type === 'DELETED' ? 'deleted' : 'updated';
    return [`${user} ${what} ${nameOf(write)} in term ${term.number} of ${term.holder}`];
  });
}

function termOf(object: Write['object']): number {
  return Number((object['spec'] as { readonly term?: unknown } | undefined)?.term ?? 0);
}
