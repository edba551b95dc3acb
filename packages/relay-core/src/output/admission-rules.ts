/** The requests that an admission policy checks. */
import type { ResourceKind } from '@meshrelay/plugin';

/** One rule for each API group, for any version: an object may be written in one version and read in another. */
export function admissionRules(kinds: readonly ResourceKind[], operations: readonly string[]): object[] {
  const groups = Map.groupBy(kinds, ({ group }) => group);
  return [...groups.keys()].sort().map((group) => ({
    apiGroups: [group],
    apiVersions: ['*'],
    operations,
    resources: [...new Set((groups.get(group) ?? []).map(({ plural }) => plural))].sort(),
  }));
}
