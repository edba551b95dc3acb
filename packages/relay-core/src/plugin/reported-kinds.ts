/** The kinds of native objects that agents report to the server. */
import { kindKey, type MeshPlugin, type ResourceKind } from '@meshrelay/plugin';

/** The kinds that a plugin writes, and the kinds of user-owned objects that it reads in addition; each once. */
export function kindsReported({ writes, reads = [] }: Pick<MeshPlugin, 'writes' | 'reads'>): readonly ResourceKind[] {
  return [...new Map([...writes, ...reads].map((kind) => [kindKey(kind), kind])).values()];
}
