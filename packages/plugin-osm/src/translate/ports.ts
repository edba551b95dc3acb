/** Ports as OSM distinguishes them. */
import type { PortView } from '@meshrelay/plugin';

/** True if OSM evaluates requests. It treats every port as HTTP unless the Service declares another protocol. */
export function isHttpPort({ protocol }: PortView): boolean {
  return protocol === 'HTTP' || protocol === 'HTTP2' || protocol === 'GRPC' || protocol === 'AUTO';
}

/** The number of the port on the pods, which proxies see. */
export function podPort({ number, targetPort }: PortView): number {
  return targetPort ?? number;
}
