/** What a port carries, as far as proxies treat it differently. */
import type { PortView } from '@meshrelay/relay-core';

/** `http`: requests of one version of HTTP or the other. `bytes`: whatever is sent. */
export type PortTransport = 'http1' | 'http2' | 'bytes';

/** One, or two where the Service does not say; none where it carries no TCP. */
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
