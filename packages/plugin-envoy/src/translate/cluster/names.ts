/**
 * Names of clusters. Where requests pass a gateway, the name travels in the handshake and the gateway takes it for the name of the cluster to send to. It is
 * spelled as Istio spells it, so that gateways and callers of both kinds of mesh understand each other.
 */

/** A port of a host, or of a subset of its pods. */
export function clusterName(hostname: string, port: number, subset: string = ''): string {
  return `outbound_.${port}_.${subset}_.${hostname}`;
}

/** The same for bytes that are no HTTP, where a port may carry both. */
export function bytesName(name: string): string {
  return `${name}|tcp`;
}

/** A virtual destination as callers use it; what is behind it has names of its own. */
export function virtualClusterName(hostname: string, port: number): string {
  return `virtual_.${port}_._.${hostname}`;
}

/** The endpoints of a port of a Service: those of its proxies, or of its applications where callers pass the proxies by. */
export function assignmentName(hostname: string, port: number, bypassed: boolean = false): string {
  return `${clusterName(hostname, port)}${bypassed ? '|bypassed' : ''}`;
}
