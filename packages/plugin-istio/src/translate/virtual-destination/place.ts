/** Where objects of virtual destinations are written. */
import type { VirtualDestinationView } from '@meshrelay/relay-core';
import { rootNamespace } from '../../root-namespace.ts';

/** Where pods can be selected: their own namespace. Without any, the namespace that holds for the whole mesh. */
export function placeOf({ groups, consumer }: VirtualDestinationView): string {
  return groups.find(({ local }) => local)?.destination.namespace ?? rootNamespace(consumer);
}
