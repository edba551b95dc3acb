/** Which requests an admission policy judges. */
import type { ResourceKind } from '../input/resource-kind.ts';

/** One rule a group: any version, since one object is written in one and may be read in another. */
export function admissionRules(kinds: readonly ResourceKind[], operations: readonly string[]): object[] {
  const groups = Map.groupBy(kinds, ({ group }) => group);
  return [...groups.keys()].sort().map((group) => ({
    apiGroups: [group],
    apiVersions: ['*'],
    operations,
    resources: [...new Set((groups.get(group) ?? []).map(({ plural }) => plural))].sort(),
  }));
}
