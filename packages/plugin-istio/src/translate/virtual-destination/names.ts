/** Names and places of what is written for virtual destinations. Their own names may have dots, which no other of our objects begins with. */
import type { VirtualDestinationView } from '@meshrelay/relay-core';
import { virtualDestinationName } from '../../names.ts';
import { rootNamespace } from '../../root-namespace.ts';

/** @param ending tells objects of one kind apart */
export function virtualName({ virtualDestination }: VirtualDestinationView, ending: string): string {
  return virtualDestinationName(virtualDestination, ending);
}

/** Where pods can be selected: their own namespace. Without any, the namespace that holds for the whole mesh. */
export function placeOf({ groups, consumer }: VirtualDestinationView): string {
  return groups.find(({ local }) => local)?.destination.namespace ?? rootNamespace(consumer);
}
