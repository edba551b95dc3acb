/** The kinds of native objects that agents tell the server of. */
import { kindKey, type ResourceKind } from '../input/resource-kind.ts';
import type { MeshPlugin } from './contract.ts';

/** What a plugin writes, and what of the user's it reads beside that; each once. */
export function kindsReported({ writes, reads = [] }: Pick<MeshPlugin, 'writes' | 'reads'>): readonly ResourceKind[] {
  return [...new Map([...writes, ...reads].map((kind) => [kindKey(kind), kind])).values()];
}
