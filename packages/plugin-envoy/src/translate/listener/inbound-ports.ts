/** The ports of an application, with all Services that target each. */
import type { AccessRuleView, InboundServiceView, PortView, RouteView } from '@meshrelay/plugin';
import { clusterName } from '../cluster/names.ts';
import { type PortTransport, portTransportsOf } from '../cluster/port-transport.ts';

export interface InboundPort {
  /** The port that the application listens on. */
  readonly number: number;
  readonly portTransports: readonly PortTransport[];
  /** The SNI values by which callers reach it, sorted. */
  readonly serverNames: readonly string[];
  readonly access: readonly AccessRuleView[];
  /** In order. */
  readonly limits: readonly RouteView[];
}

/** Sorted by number. A port with an unknown number has no pods either. */
export function inboundPorts(services: readonly InboundServiceView[]): readonly InboundPort[] {
  const found = new Map<number, InboundPort>();
  for (const service of services) {
    for (const port of service.destination.ports) {
      const number = port.targetPort ?? port.number;
      const portTransports = portTransportsOf(port);
      if (portTransports.length === 0) continue;
      const known = found.get(number);
      const limits = service.limits.filter((limit) => limit.port.number === port.number);
      found.set(number, {
        number,
        portTransports: known?.portTransports ?? portTransports,
        serverNames: [...new Set([...(known?.serverNames ?? []), ...serverNames(service, port)])].sort(),
        access: [...(known?.access ?? []), ...service.access],
        limits: known === undefined || known.limits.length === 0 ? limits : known.limits,
      });
    }
  }
  return [...found.values()].sort((a, b) => a.number - b.number);
}

/** If a Service has one port, all its names mean that port; otherwise each port has its own names. */
function serverNames({ destination, otherHostnames, subsets }: InboundServiceView, port: PortView): readonly string[] {
  const hostnames = [destination.hostname, ...otherHostnames];
  if (destination.ports.length === 1) return hostnames.map((hostname) => `*.${hostname}`);
  return hostnames.flatMap((hostname) =>
    [undefined, ...subsets].map((subset) => clusterName(hostname, port.number, subset)),
  );
}
