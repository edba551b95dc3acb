/**
 * Names of what we write. They never meet a user's by chance (all begin with `meshrelay-` or `meshrelay.`), and never each other:
 * names of Services and namespaces have no dots, so a dot parts what belongs to different owners. Those of policies may have dots, so what is
 * about one begins with `meshrelay.`, as nothing else does.
 */
import type { DestinationFacts, VirtualDestinationView } from '@meshrelay/relay-core';

const PREFIX = 'meshrelay';

/** Objects about a Service, in its own namespace. */
export function localName({ name }: DestinationFacts): string {
  return `${PREFIX}-${name}`;
}

/** Objects that let requests of other clusters in to a Service, in its own namespace. */
export function exportName({ name }: DestinationFacts): string {
  return `${PREFIX}-${name}.export`;
}

/** Objects about a Service of another cluster, in the consuming mesh's root namespace. */
export function remoteName({ name, namespace, cluster }: DestinationFacts): string {
  return `${PREFIX}-${name}.${namespace}.${cluster}`;
}

/** Objects about a virtual destination; clusters may have some of the same name, but no passage in common. @param ending tells them apart */
export function virtualDestinationName(
  { virtualDestination: { cluster, namespace, name }, passage }: VirtualDestinationView,
  ending: string,
): string {
  return `${PREFIX}.${cluster === '' ? `vd.${namespace}.${name}` : `own-vd.${passage}`}${ending}`;
}

/** Objects about a gateway or a whole mesh. */
export function meshName(what: string): string {
  return `${PREFIX}-${what}`;
}
