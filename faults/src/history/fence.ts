/** I5: once a term has begun in a cluster, only its leader updates or deletes outputs there. */

import type { Entitlement } from './entitlement.ts';
import { AGENT_USER, isOutput, nameOf, type Write } from './history.ts';

interface Term {
  readonly number: number;
  readonly holder: string;
}

/** Updates and deletes that landed in a term of another leader. */
export function outdatedWrites(writes: readonly Write[], { electionLies = false }: Entitlement): string[] {
  const terms = new Map<string, Term>();
  /** Terms that have begun and count from their first output on. */
  const begun = new Map<string, Term>();
  return writes.flatMap((write) => {
    const { cluster, resource, object, actor } = write;
    const user = actor?.user;
    if (user === undefined || !AGENT_USER.test(user)) return [];
    if (resource === 'outputledgers') {
      const next = { number: termOf(object), holder: user };
      const counted = electionLies ? begun : terms;
      if (next.number > (counted.get(cluster)?.number ?? 0)) counted.set(cluster, next);
      return [];
    }
    if (!isOutput(write)) return [];
    const coming = begun.get(cluster);
    if (coming?.holder === user) terms.set(cluster, coming);
    const term = terms.get(cluster);
    if (term === undefined || term.holder === user || write.type === 'ADDED') return [];
    const what = write.type === 'DELETED' ? 'deleted' : 'updated';
    return [`${user} ${what} ${nameOf(write)} in term ${term.number} of ${term.holder}`];
  });
}

function termOf(object: Write['object']): number {
  return Number((object['spec'] as { readonly term?: unknown } | undefined)?.term ?? 0);
}
