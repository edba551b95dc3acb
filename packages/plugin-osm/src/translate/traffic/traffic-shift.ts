/** TrafficSplits: the weights by which requests for a Service go to Services of its namespace. */
import type {
  DestinationFacts,
  DestinationView,
  FieldRows,
  Output,
  RouteTarget,
  RouteView,
  Sourced,
} from '@meshrelay/plugin';
import { osmObject, TRAFFIC_SPLIT } from '../../kinds.ts';
import { serviceName } from '../../names.ts';
import { fallShort, serviceText } from '../../reports.ts';
import { isHttpPort } from '../ports.ts';
import { NO_API, ONE_CLUSTER } from '../unsupported.ts';

const FIELD = 'spec.policy.trafficShift';

export const TRAFFIC_SHIFT: FieldRows<'trafficShift'> = {
  'route.shift': 'native',
  'route.shift.subset': { unsupported: 'TrafficSplits send to whole Services; create a Service for each subset' },
  'route.shift.cluster': ONE_CLUSTER,
  'route.shift.headers': NO_API,
  'route.shift.virtualDestination': ONE_CLUSTER,
};

type Shift = Sourced<readonly RouteTarget[]>;

export function trafficSplit({ destination, routes }: DestinationView, out: Output): void {
  // The remaining routes match every request: one for each HTTP port, all of the same policies.
  const shifting = routes.filter(({ actions }) => actions.shift !== undefined);
  const shift = shifting[0]?.actions.shift;
  if (shift === undefined) return;
  const obstacle = obstacleTo(destination, shifting);
  if (obstacle !== undefined) {
    fallShort(out, shift.from, { code: 'UNSUPPORTED', field: FIELD, message: obstacle });
    return;
  }
  reportOtherPorts(destination, shift, out);
  const { cluster, namespace, name } = destination;
  const spec = { service: name, backends: backends(shift.value) };
  out.emit(cluster, osmObject(TRAFFIC_SPLIT, namespace, serviceName(name), spec), shift.from);
}

/** OSM keeps the port: a backend receives requests for a port of the Service on its port with the same number. */
function obstacleTo(destination: DestinationFacts, routes: readonly RouteView[]): string | undefined {
  const targets = routes.flatMap(({ port, actions }) =>
    (actions.shift?.value ?? []).map((target) => ({ port, target, service: serviceOf(target) })),
  );
  const otherPlace = targets.find(({ service }) => service.namespace !== destination.namespace);
  if (otherPlace !== undefined) {
    const { namespace, name } = otherPlace.service;
    return `TrafficSplits send to Services of their own namespace only, and ${namespace}/${name} is in another one than ${serviceText(destination)}; create a Service for it in ${destination.namespace}`;
  }
  const otherPort = targets.find(({ port, target }) => target.port !== port.number);
  if (otherPort === undefined) return undefined;
  const { port, target, service } = otherPort;
  return `OSM sends requests for port ${port.number} of ${serviceText(destination)} to port ${port.number} of every backend, but the policy sends them to port ${target.port} of ${service.namespace}/${service.name}; add port ${port.number} to that Service`;
}

/** A target in the destination's own cluster has its local name: `<service>.<namespace>.svc.<cluster domain>`. */
function serviceOf({ hostname }: RouteTarget): { readonly name: string; readonly namespace: string } {
  const [name = '', namespace = ''] = hostname.split('.', 2);
  return { name, namespace };
}

function reportOtherPorts(destination: DestinationFacts, { from }: Shift, out: Output): void {
  const others = destination.ports.filter((port) => !isHttpPort(port)).map(({ number }) => number);
  if (others.length === 0) return;
  fallShort(out, from, {
    code: 'ALL_PORTS_AFFECTED',
    field: FIELD,
    message: `OSM splits whole Services, so connections to the ports ${others.join(', ')} of ${serviceText(destination)} are shifted, too, among backends with these ports, and fail without one; create a separate Service for HTTP`,
  });
}

/** A Service that is named twice has one weight. */
function backends(targets: readonly RouteTarget[]): Array<{ readonly service: string; readonly weight: number }> {
  const weights = new Map<string, number>();
  for (const target of targets) {
    const { name } = serviceOf(target);
    weights.set(name, (weights.get(name) ?? 0) + target.weight);
  }
  return [...weights].map(([service, weight]) => ({ service, weight }));
}
