/**
 * Names of what we write. They never meet a user's by chance (all begin with `meshrelay-` or `meshrelay.`), and never each other:
 * names of Services and namespaces have no dots, so a dot parts what belongs to different owners. Those of policies may have dots, so what is
 * about one begins with `meshrelay.`, as nothing else does.
 */
import {
  type DestinationFacts,
  objectName,
  type VirtualDestinationView,
  type WasmFilterView,
} from '@meshrelay/relay-core';

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
  { virtualDestination: { cluster, namespace, name }, gatewayHostname }: VirtualDestinationView,
  ending: string,
): string {
  return `${PREFIX}.${cluster === '' ? `vd.${namespace}.${name}` : `own-vd.${gatewayHostname}`}${ending}`;
}

/** A filter of a WasmDeployment, in a namespace of workloads. In the order of their positions, which is that of Istio for filters of one deployment. @param only the workload it is for, where it is not for all that are selected */
export function wasmName({ from: [deployment], position, selector }: WasmFilterView, only: readonly string[]): string {
  const { name = '', namespace = '', cluster = '' } = deployment ?? {};
  const places = [namespace, cluster === '' ? 'all' : `own-${cluster}`];
  return objectName(`${PREFIX}.wasm`, [
    name,
    ...places,
    String(position).padStart(2, '0'),
    String(selector.position),
    ...only,
  ]);
}

/** Objects about a gateway or a whole mesh. */
export function meshName(what: string): string {
  return `${PREFIX}-${what}`;
}
