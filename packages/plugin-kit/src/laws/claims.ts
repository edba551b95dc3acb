/** What users' objects claim is read from objects as users wrote them: any field may be missing or of a wrong type. */
import type { KubeObject } from '@meshrelay/api';
import { loaded } from '../tested-plugin.ts';
import type { Law } from './law.ts';
import { built } from './outcome.ts';
import { poisonings } from './poison.ts';

/** `claims` throws over no object of the kinds that the plugin writes, whatever is in it. */
export const readsAnyClaim: Law = (tested, worlds) => {
  const { plugin } = tested;
  if (plugin.claims === undefined) return;
  for (const { name, fleet } of worlds) {
    for (const object of oneOfEachKind(built(fleet, loaded(tested)))) {
      for (const { path, poisoned } of poisonings(object)) {
        try {
          plugin.claims(poisoned);
        } catch (cause) {
          const where = `${object.kind} ${object.metadata.name} with a poisoned ${path}`;
          throw new Error(`${name}: ${where}: claims throws: ${String(cause)}`, { cause });
        }
      }
    }
  }
};

function oneOfEachKind({ desired }: ReturnType<typeof built>): readonly KubeObject[] {
  const objects = [...desired.entries()].map(([, { object }]) => object as unknown as KubeObject);
  return [...new Map(objects.map((object) => [object.kind, object])).values()];
}
