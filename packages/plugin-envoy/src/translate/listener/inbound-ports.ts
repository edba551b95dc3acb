/** The ports of an application, with all Services that lead to each. */
import type { AccessRuleView, InboundServiceView, PortView, RouteView } from '@meshrelay/relay-core';
import { clusterName } from '../cluster/names.ts';
import { type PortTransport, portTransportsOf } from '../cluster/port-transport.ts';

export interface InboundPort {
  /** That the application listens on. */
  readonly number: number;
  readonly portTransports: readonly PortTransport[];
  /** Names by which callers ask for it in the handshake, sorted. */
  readonly serverNames: readonly string[];
  readonly access: readonly AccessRuleView[];
  /** In order. */
  readonly limits: readonly RouteView[];
}

/** In the order of their numbers. A port whose number is not known yet has no pods either. */
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

/** Where a Service has one port, all that is asked for by its names is for that; else each port has names of its own. */
function serverNames({ destination, otherHostnames, subsets }: InboundServiceView, port: PortView): readonly string[] {
  const hostnames = [destination.hostname, ...otherHostnames];
  if (destination.ports.length === 1) return hostnames.map((hostname) => `*.${hostname}`);
  return hostnames.flatMap((hostname) =>
    [undefined, ...subsets].map((subset) => clusterName(hostname, port.number, subset)),
  );
}
