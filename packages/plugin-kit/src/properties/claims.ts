/** `objectConflicts` reads objects as users wrote them: any field may be missing or of a wrong type. */
import type { KubeObject } from '@meshrelay/api';
import type { NativeObject } from '@meshrelay/plugin';
import { expectedOf } from './outcome.ts';
import { poisonings } from './poison.ts';
import type { Property } from './property.ts';

/** `objectConflicts` does not throw for any object of the kinds that the plugin writes, whatever it contains. */
export const readsAnyClaim: Property = (tested, fleets) => {
  const { plugin } = tested;
  const { objectConflicts } = plugin;
  if (objectConflicts === undefined) return;
  for (const { name, fleet } of fleets) {
    for (const object of oneOfEachKind(expectedOf(tested, fleet).objects)) {
      for (const { path, poisoned } of poisonings(object)) {
        try {
          objectConflicts.indexKeys(poisoned);
          objectConflicts.detect(object as unknown as NativeObject, poisoned, []);
          plugin.concernsMesh?.(poisoned);
          plugin.inboundRules?.isOne(poisoned);
        } catch (cause) {
          const where = `${object.kind} ${object.metadata.name} with a poisoned ${path}`;
          throw new Error(`${name}: ${where}: objectConflicts throws: ${String(cause)}`, { cause });
        }
      }
    }
  }
};

function oneOfEachKind(objects: readonly NativeObject[]): readonly KubeObject[] {
  return [...new Map(objects.map((object) => [object.kind, object as unknown as KubeObject])).values()];
}
