/** Two resources of one group cannot share names. */
import type { Cluster } from '../cluster.ts';
import type { ResourceDefinition } from '../resources/definition.ts';

/** Why the names of a new resource are rejected. */
export interface NameConflict {
  readonly reason: 'KindConflict' | 'ListKindConflict' | 'PluralConflict' | 'SingularConflict' | 'ShortNamesConflict';
  readonly message: string;
}

/** The last conflict found, as the real server reports it, or undefined if the names are free. */
export function nameConflict(cluster: Cluster, definition: ResourceDefinition): NameConflict | undefined {
  const others = cluster.catalog
    .all()
    .filter((each) => each.group === definition.group && each.plural !== definition.plural);
  const resources = new Set(others.flatMap((each) => [each.plural, each.singular, ...each.shortNames]));
  const kinds = new Set(others.flatMap((each) => [each.kind, each.listKind]));
  const { plural, singular, shortNames, kind, listKind } = definition;
  let found: NameConflict | undefined;
  const check = (reason: NameConflict['reason'], name: string, taken: ReadonlySet<string>): void => {
    if (taken.has(name)) found = { reason, message: `${JSON.stringify(name)} is already in use` };
  };
  check('PluralConflict', plural, resources);
  check('SingularConflict', singular, resources);
  for (const shortName of shortNames) check('ShortNamesConflict', shortName, resources);
  check('KindConflict', kind, kinds);
  check('ListKindConflict', listKind, kinds);
  return found;
}
