/**
 * Names of generated objects. All begin with `meshrelay-` or `meshrelay.`, so they do not collide with users' objects
 * by accident. They do not collide with each other: names of Services and namespaces have no dots, so a dot separates
 * the parts. Names of policies may have dots, so names derived from a policy begin with `meshrelay.`, which no other
 * name does.
 */
import { type DestinationFacts, objectName, type VirtualDestinationView, type WasmFilterView } from '@meshrelay/plugin';

const PREFIX = 'meshrelay';

/** Objects for a Service, in its own namespace. */
export function localName({ name }: DestinationFacts): string {
  return `${PREFIX}-${name}`;
}

/** Objects that admit requests of other clusters to a Service, in its own namespace. */
export function exportName({ name }: DestinationFacts): string {
  return `${PREFIX}-${name}.export`;
}

/** Objects for a Service of another cluster, in the root namespace of the consuming mesh. */
export function remoteName({ name, namespace, cluster }: DestinationFacts): string {
  return `${PREFIX}-${name}.${namespace}.${cluster}`;
}

/**
 * Objects for a virtual destination. Clusters may have virtual destinations of the same name, but each has its own
 * gateway route.
 * @param ending distinguishes the objects of one virtual destination
 */
export function virtualDestinationName(
  { virtualDestination: { cluster, namespace, name }, gatewayHostname }: VirtualDestinationView,
  ending: string,
): string {
  return `${PREFIX}.${cluster === '' ? `vd.${namespace}.${name}` : `own-vd.${gatewayHostname}`}${ending}`;
}

/**
 * A filter of a WasmDeployment, in a namespace of workloads. Names sort by position, which is Istio's order for filters
 * of one deployment.
 * @param only the workload it applies to, unless it applies to all selected workloads
 */
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

/** Objects for a gateway or a whole mesh. */
export function meshName(what: string): string {
  return `${PREFIX}-${what}`;
}
