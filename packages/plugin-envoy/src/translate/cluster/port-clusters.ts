/** The clusters of one port of a Service: for HTTP, for TCP, and for each subset that routes use. */
import type { cluster } from '@meshrelay/envoy-api';
import type { ConnectionView, MtlsMode, PortView, SubsetView, TcpKeepaliveView } from '@meshrelay/plugin';
import { endpointCluster } from './cluster.ts';
import { connectionParts } from './connection.ts';
import { bytesName, clusterName } from './names.ts';
import { isHttp, type PortTransport, portTransportsOf } from './port-transport.ts';
import type { Identity } from './tls.ts';

export interface PortClusters {
  /** The host name that callers use. */
  readonly hostname: string;
  readonly port: PortView;
  readonly assignment: string;
  readonly connection: ConnectionView;
  readonly keepalive?: TcpKeepaliveView;
  readonly mode: MtlsMode;
  readonly identities: readonly Identity[];
  /** The SNI of connections. */
  sni(subset?: string): string;
  readonly subsets: readonly SubsetView[];
  /** Whether endpoints have the labels of subsets; otherwise the receiving proxy selects subsets. */
  readonly labelled: boolean;
}

export function portClusters(given: PortClusters): readonly cluster.Cluster[] {
  const { hostname, port, subsets } = given;
  const portTransports = portTransportsOf(port);
  const name = clusterName(hostname, port.number);
  const whole = portTransports.map((portTransport, index) =>
    make(given, index === 0 ? name : bytesName(name), portTransport),
  );
  const [first] = portTransports;
  if (first === undefined || !isHttp(first)) return whole;
  return [
    ...whole,
    ...subsets.map((subset) => make(given, clusterName(hostname, port.number, subset.name), first, subset)),
  ];
}

function make(given: PortClusters, name: string, portTransport: PortTransport, subset?: SubsetView): cluster.Cluster {
  const { assignment, connection, keepalive, mode, identities, labelled } = given;
  return endpointCluster({
    name,
    assignment,
    connection: connectionParts(connection, portTransport, keepalive),
    ...(subset === undefined || !labelled ? {} : { subset }),
    security: { mode, sni: given.sni(subset?.name), identities, portTransport },
  });
}
