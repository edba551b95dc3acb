/**
 * Names of clusters. If requests go through a gateway, the name is the SNI, which the gateway uses as the name of the
 * target cluster. Its format is Istio's, so gateways and callers of both kinds of mesh are compatible.
 */

/** A port of a host, or of a subset of its pods. */
export function clusterName(hostname: string, port: number, subset: string = ''): string {
  return `outbound_.${port}_.${subset}_.${hostname}`;
}

/** The same for TCP that is not HTTP, for ports that may have both. */
export function bytesName(name: string): string {
  return `${name}|tcp`;
}

/** A virtual destination as callers use it; its backends have their own names. */
export function virtualClusterName(hostname: string, port: number): string {
  return `virtual_.${port}_._.${hostname}`;
}

/** The endpoints of a port of a Service: its proxies, or its applications if callers bypass the proxies. */
export function assignmentName(hostname: string, port: number, bypassed: boolean = false): string {
  return `${clusterName(hostname, port)}${bypassed ? '|bypassed' : ''}`;
}
