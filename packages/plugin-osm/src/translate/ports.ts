/** Ports, as OSM tells them apart. */
import type { PortView } from '@meshrelay/relay-core';

/** True where OSM looks at requests. It takes every port for HTTP that is not said to be something else. */
export function isHttpPort({ protocol }: PortView): boolean {
  return protocol === 'HTTP' || protocol === 'HTTP2' || protocol === 'GRPC' || protocol === 'AUTO';
}

/** The number of the port on the pods, where proxies see it. */
export function podPort({ number, targetPort }: PortView): number {
  return targetPort ?? number;
}
