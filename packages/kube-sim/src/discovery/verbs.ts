/** Verbs and subresources in discovery documents. */
import type { ResourceDefinition, Verb, VersionDefinition } from '../resources/definition.ts';

/** A subresource of one version of a resource. */
export interface ListedSubresource {
  readonly name: string;
  readonly kind: { readonly group: string; readonly version: string; readonly kind: string };
  readonly verbs: readonly Verb[];
}

const PART: readonly Verb[] = ['get', 'patch', 'update'];

/** The subresources a version of a resource has, by name. */
export function subresourcesOf(definition: ResourceDefinition, version: VersionDefinition): ListedSubresource[] {
  const own = { group: definition.group, version: version.name, kind: definition.kind };
  const listed: ListedSubresource[] = [...definition.subresources];
  if (version.scale !== undefined)
    listed.push({ name: 'scale', kind: { group: 'autoscaling', version: 'v1', kind: 'Scale' }, verbs: PART });
  if (version.status) listed.push({ name: 'status', kind: own, verbs: PART });
  return listed.sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** Groups with their served versions, the preferred (newest stable, then declared) first. */
export function servedGroups(
  definitions: readonly ResourceDefinition[],
): { readonly group: string; readonly versions: readonly string[] }[] {
  const groups = new Map<string, Set<string>>();
  for (const { group, versions } of definitions) {
    const known = groups.get(group) ?? new Set<string>();
    for (const version of versions) if (version.served) known.add(version.name);
    groups.set(group, known);
  }
  return [...groups]
    .filter(([, versions]) => versions.size > 0)
    .map(([group, versions]) => ({ group, versions: [...versions].sort(byPriority) }));
}

/** Stable before beta before alpha, then the higher number first. */
function byPriority(a: string, b: string): number {
  const left = rank(a);
  const right = rank(b);
  for (const [index, value] of left.entries()) if (value !== right[index]) return (right[index] ?? 0) - value;
  return a < b ? -1 : 1;
}

function rank(version: string): readonly number[] {
  const match = /^v(\d+)(?:(alpha|beta)(\d+))?$/.exec(version);
  if (match === null) return [-1, 0, 0];
  const stability = match[2] === undefined ? 2 : match[2] === 'beta' ? 1 : 0;
  return [stability, Number(match[1]), Number(match[3] ?? 0)];
}
