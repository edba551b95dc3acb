// Finds kinds by the `apiVersion` and `kind` of an object.
import { isMeshrelayGroup } from '../group.ts';
import type { KindName } from '../meshrelay-object.ts';
import { nearest } from '../text/nearest.ts';
import type { KindDefinition } from './kind-definition.ts';
import { kinds } from './kinds.ts';

const byApiVersionAndKind: ReadonlyMap<string, KindDefinition> = new Map(
  kinds.map((definition) => [`${apiVersionOf(definition)}/${definition.kind}`, definition]),
);
const byKind: ReadonlyMap<string, KindDefinition> = new Map(kinds.map((definition) => [definition.kind, definition]));

/** The `apiVersion` of a kind's objects: `group/version`, or `version` alone for the core group. */
export function apiVersionOf({ group, version }: Pick<KindDefinition, 'group' | 'version'>): string {
  return group === '' ? version : `${group}/${version}`;
}

/** The group of an `apiVersion`; empty for the core group. */
export function groupOf(apiVersion: string): string {
  const slash = apiVersion.indexOf('/');
  return slash < 0 ? '' : apiVersion.slice(0, slash);
}

/** The definition of the kind with exactly this `apiVersion`, if it is a Meshrelay kind. */
export function kindOf(apiVersion: string, kind: string): KindDefinition | undefined {
  return byApiVersionAndKind.get(`${apiVersion}/${kind}`);
}

/** The definition of a Meshrelay kind. */
export function definitionOf<Kind extends KindName>(kind: Kind): KindDefinition<Kind> {
  const definition = byKind.get(kind);
  if (definition === undefined) throw new RangeError(`${kind} is not a kind of Meshrelay`);
  return definition as unknown as KindDefinition<Kind>;
}

/** Why an object of a Meshrelay group has an unknown kind, with the nearest known one. */
export function unknownKindMessage(apiVersion: string, kind: string): string {
  const known = byKind.get(kind);
  if (known !== undefined) return `${kind} is served as ${apiVersionOf(known)}, not ${apiVersion}`;
  const meant = nearest(kind, byKind.keys());
  if (meant !== undefined) return `${kind} is not a kind of ${apiVersion}; did you mean ${meant}?`;
  const inGroup = kinds.filter(({ group }) => group === groupOf(apiVersion)).map((definition) => definition.kind);
  const available = inGroup.length === 0 ? kinds.map((definition) => definition.kind) : inGroup;
  return `${kind} is not a kind of ${apiVersion}; there are ${available.join(', ')}`;
}

/** True if the object is in a Meshrelay group, whether or not its kind is known. */
export function isMeshrelayApiVersion(apiVersion: string): boolean {
  return isMeshrelayGroup(groupOf(apiVersion));
}
