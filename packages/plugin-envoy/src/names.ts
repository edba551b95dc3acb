/** Names of what we write. The first word says what an object is about, so that a Service and a workload of one name have objects of their own. */
import type { PolicyRef } from '@meshrelay/api';
import { type DestinationFacts, objectName, type WorkloadView } from '@meshrelay/relay-core';

const nameOf = (what: string, ...parts: readonly string[]): string => objectName(`meshrelay-${what}`, parts);

/** A Service's clusters and routes, for its own mesh. */
export function destinationName({ name, namespace }: DestinationFacts): string {
  return nameOf('destination', name, namespace);
}

/** Where a Service's pods are, for its own mesh. */
export function podsName({ name, namespace }: DestinationFacts): string {
  return nameOf('pods', name, namespace);
}

/** A Service of another cluster: its clusters and routes. */
export function reachName({ name, namespace, cluster }: DestinationFacts): string {
  return nameOf('reach', name, namespace, cluster);
}

/** The ways to a Service of another cluster. */
export function waysName({ name, namespace, cluster }: DestinationFacts): string {
  return nameOf('ways', name, namespace, cluster);
}

/** A virtual destination; clusters may have some of the same name. */
export function virtualName({ cluster, namespace, name }: PolicyRef): string {
  return nameOf('virtual', name, namespace, cluster === '' ? 'all' : `own-${cluster}`);
}

/** The listeners of a workload's proxies. */
export function workloadName({ kind, name, namespace }: WorkloadView): string {
  return nameOf('workload', name, kind.toLowerCase(), namespace);
}

/** The CA of the cluster's Envoys: of a kind of its own, so that no workload's object is meant by it. */
export const CA_NAME = 'meshrelay-workload-ca';

/** An extension, whichever workloads ask for it. Its name orders it before them. @param extension its own name, of parts with slashes between */
export function extensionObjectName(extension: string): string {
  return nameOf('extension', ...extension.split('/'));
}
