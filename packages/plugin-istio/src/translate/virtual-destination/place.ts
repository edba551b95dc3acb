/** The namespace of objects of virtual destinations. */
import type { VirtualDestinationView } from '@meshrelay/plugin';
import { rootNamespace } from '../../root-namespace.ts';

/** The pods' namespace, because selectors only work there. Without pods, the root namespace. */
export function placeOf({ groups, consumer }: VirtualDestinationView): string {
  return groups.find(({ local }) => local)?.destination.namespace ?? rootNamespace(consumer);
}
