/** Protocols of Service ports, by the conventions meshes share. */
import type { DestinationPort, EndpointSubset } from '@meshrelay/api';
import { memoize, type PortProtocol, type PortView } from '@meshrelay/plugin';
import { internList } from '../../caches/intern-list.ts';
import { InternPool } from '../../caches/intern-pool.ts';

/** A map, because names come from other clusters and may be those of members of Object.prototype. */
const BY_NAME: ReadonlyMap<string, PortProtocol> = new Map(
  Object.entries<PortProtocol>({
    http: 'HTTP',
    http2: 'HTTP2',
    h2c: 'HTTP2',
    grpc: 'GRPC',
    'grpc-web': 'HTTP',
    https: 'HTTPS',
    tls: 'TLS',
    tcp: 'TCP',
    mongo: 'MONGO',
    mysql: 'MYSQL',
    redis: 'REDIS',
    udp: 'UDP',
    'kubernetes.io/h2c': 'HTTP2',
    'kubernetes.io/ws': 'HTTP',
    'kubernetes.io/wss': 'HTTPS',
    ws: 'HTTP',
  }),
);

/** Ports on which the server speaks first, so that no proxy can detect the protocol from the client's first bytes. */
const SERVER_SPEAKS_FIRST = new Set([25, 53, 3306, 27017]);

/** The ports as views show them; Services with the same ports share one list. */
export function portViews(
  ports: readonly DestinationPort[],
  endpoints: readonly EndpointSubset[],
): readonly PortView[] {
  return internList(ports.map((port) => portView(port, endpoints)));
}

const VIEWS = new InternPool<PortView>();

/** `appProtocol` has precedence, then the part of the name before the first dash. */
function portView(port: DestinationPort, endpoints: readonly EndpointSubset[]): PortView {
  const targetPort = targetPortOf(port, endpoints);
  const { port: number, name = '' } = port;
  const protocol = protocolOf(port);
  return VIEWS.of(`${number} ${protocol} ${targetPort} ${name}`, {
    number,
    name,
    protocol,
    ...(targetPort === undefined ? {} : { targetPort }),
  });
}

/**
 * The port number on the pods. A named target port has a number only if endpoints exist; if pods differ, the lowest
 * number counts.
 */
export function targetPortOf(
  { name = '', targetPortNumber, targetPortName }: DestinationPort,
  endpoints: readonly EndpointSubset[],
): number | undefined {
  if (targetPortNumber !== undefined || targetPortName === undefined) return targetPortNumber;
  const served = endpoints.flatMap(({ ports }) => ports.filter((port) => (port.name ?? '') === name));
  return served.length === 0 ? undefined : Math.min(...served.map(({ port }) => port));
}

/** Whether proxies see traffic of any port: they handle TCP connections and pass UDP through. */
export function hasTcpPort(ports: readonly PortView[]): boolean {
  return ports.some(({ protocol }) => protocol !== 'UDP');
}

function protocolOf({ protocol, appProtocol, name = '', port }: DestinationPort): PortProtocol {
  if (protocol === 'UDP' || protocol === 'SCTP') return 'UDP';
  const declared = appProtocol?.toLowerCase();
  const known = declared === undefined ? undefined : BY_NAME.get(declared);
  if (known !== undefined) return known;
  const lower = name.toLowerCase();
  if (lower === 'grpc-web' || lower.startsWith('grpc-web-')) return 'HTTP';
  const prefix = BY_NAME.get(lower.split('-', 1)[0] ?? '');
  return prefix ?? (SERVER_SPEAKS_FIRST.has(port) ? 'TCP' : 'AUTO');
}

/** The ports on which HTTP routes apply; the same list for the same ports. */
export const httpPorts: (ports: readonly PortView[]) => readonly PortView[] = memoize((ports) =>
  internList(ports.filter(supportsHttpRoutes)),
);

/** True if HTTP routes apply; on other ports they would have no effect, or do harm. */
export function supportsHttpRoutes({ protocol }: PortView): boolean {
  return protocol === 'HTTP' || protocol === 'HTTP2' || protocol === 'GRPC' || protocol === 'AUTO';
}
