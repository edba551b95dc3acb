/** The transport of a port, where proxies treat transports differently. */
import type { PortView } from '@meshrelay/plugin';

/** `http1` and `http2`: requests of that version of HTTP. `bytes`: any other TCP. */
export type PortTransport = 'http1' | 'http2' | 'bytes';

/** One, or two if the Service declares none; empty for ports without TCP. */
export function portTransportsOf({ protocol }: PortView): readonly PortTransport[] {
  switch (protocol) {
    case 'HTTP':
      return ['http1'];
    case 'HTTP2':
    case 'GRPC':
      return ['http2'];
    case 'AUTO':
      return ['http1', 'bytes'];
    case 'UDP':
      return [];
    default:
      return ['bytes'];
  }
}

export function isHttp(portTransport: PortTransport): boolean {
  return portTransport !== 'bytes';
}
