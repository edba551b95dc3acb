/**
 * Names of generated objects. The first word names the kind of subject, so a Service and a workload of one name have
 * separate objects.
 */
import { type DestinationFacts, objectName, type PolicyRef, type WorkloadView } from '@meshrelay/plugin';

const nameOf = (what: string, ...parts: readonly string[]): string => objectName(`meshrelay-${what}`, parts);

/** A Service's clusters and routes, for its own mesh. */
export function destinationName({ name, namespace }: DestinationFacts): string {
  return nameOf('destination', name, namespace);
}

/** The pods of a Service, for its own mesh. */
export function podsName({ name, namespace }: DestinationFacts): string {
  return nameOf('pods', name, namespace);
}

/** A Service of another cluster: its clusters and routes. */
export function remoteServiceName({ name, namespace, cluster }: DestinationFacts): string {
  return nameOf('reach', name, namespace, cluster);
}

/** The endpoints of a Service in another cluster. */
export function remoteEndpointsName({ name, namespace, cluster }: DestinationFacts): string {
  return nameOf('ways', name, namespace, cluster);
}

/** A virtual destination; clusters may have virtual destinations of the same name. */
export function virtualName({ cluster, namespace, name }: PolicyRef): string {
  return nameOf('virtual', name, namespace, cluster === '' ? 'all' : `own-${cluster}`);
}

/** The listeners of a workload's proxies. */
export function workloadName({ kind, name, namespace }: WorkloadView): string {
  return nameOf('workload', name, kind.toLowerCase(), namespace);
}

/** The CA of the cluster's Envoys. Its object has a kind of its own, so the name collides with no workload's object. */
export const CA_NAME = 'meshrelay-workload-ca';

/**
 * An extension, independent of the workloads that use it. Its name sorts before those of workloads.
 * @param extension its own name, of parts separated by slashes
 */
export function extensionObjectName(extension: string): string {
  return nameOf('extension', ...extension.split('/'));
}
