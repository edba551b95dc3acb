/** A Service as a gateway: where other clusters reach it, or why they cannot. */
import type { Report } from '@meshrelay/api';
import { CLUSTER_LABEL } from '../output/discovered.ts';
import { addressKind } from '../plugin/endpoint.ts';
import type { GatewayEndpointView, GatewayView, MeshFacts } from '../plugin/views/mod.ts';
import type { ExposedAddress, ExposedPort, Exposure, KnownDestination } from './destinations.ts';

const FIELD = 'spec.federation.eastWestIngressGatewaySelectors';

/** The gateway, or what its Service lacks. */
export function gatewayOf(
  destination: KnownDestination,
  portName: string,
  exposure: Exposure | undefined,
): { readonly gateway?: GatewayView; readonly report?: Report } {
  const { name, namespace, workloadSelector } = destination;
  const where = nameOf(destination);
  if (Object.keys(workloadSelector).length === 0) {
    const message = `${where} selects no pods; give it a spec.selector`;
    return { report: report('GATEWAY_WITHOUT_SELECTOR', message) };
  }
  if (destination.ports.some((port) => port.name === portName && port.protocol === 'UDP')) {
    const message = `${where} has a port ${portName} of UDP, and gateways take TCP; set its spec.ports[].protocol to TCP or select another portName`;
    return { report: report('GATEWAY_PORT_UNUSABLE', message) };
  }
  const port = exposure?.ports.find((one) => one.name === portName);
  const endpoints = port === undefined ? [] : (exposure?.addresses ?? []).flatMap(endpointAt(destination, port));
  if (exposure === undefined || port === undefined || endpoints.length === 0)
    return { report: report('GATEWAY_WITHOUT_ADDRESS', `${where} ${whyUnreachable(destination, portName, exposure)}`) };
  if (port.targetPort === undefined) {
    const message = `${where} gives the target port of ${portName} by name and has no endpoint yet that tells its number; start its pods, or give spec.ports[].targetPort as a number`;
    return { report: report('GATEWAY_PORT_UNKNOWN', message) };
  }
  const { serviceAccounts } = destination;
  return { gateway: { name, namespace, workloadSelector, serviceAccounts, containerPort: port.targetPort, endpoints } };
}

/** Nodes are dialled at the node port, all else at the Service's port. */
function endpointAt(
  { cluster, namespace, name }: KnownDestination,
  { port, nodePort }: ExposedPort,
): (at: ExposedAddress) => GatewayEndpointView[] {
  return ({ address, ofNode, locality }) => {
    const number = ofNode ? nodePort : port;
    if (number === undefined || number === 0) return [];
    return [
      {
        address,
        kind: addressKind(address),
        ports: number,
        ...(locality === undefined ? {} : { locality }),
        labels: { [CLUSTER_LABEL]: cluster },
        gateway: { cluster, namespace, name },
      },
    ];
  };
}

function whyUnreachable({ serviceType }: KnownDestination, portName: string, exposure: Exposure | undefined): string {
  const instead = 'or give it spec.externalIPs';
  switch (serviceType) {
    case 'LOAD_BALANCER':
      return `has no address that other clusters can reach yet: its status.loadBalancer.ingress is empty; wait for its load balancer, make it a NodePort Service, ${instead}`;
    case 'NODE_PORT':
      return exposure === undefined
        ? `has no address that other clusters can reach yet: none of its ready pods runs on a ready node with an address; start them, ${instead}`
        : `has no address that other clusters can reach yet: its port ${portName} has no spec.ports[].nodePort; give it one, ${instead}`;
    default:
      return `has no address that other clusters can reach: its spec.type is ClusterIP; make it LoadBalancer or NodePort, ${instead}`;
  }
}

/** Nobody is a gateway. `near` are Services that would be, had they the port; `portNames` those that selectors ask for, if there are any. */
export function noGateway(mesh: MeshFacts, portNames: readonly string[], near: readonly NearMiss[]): Report {
  const how = near.length > 0 ? nearly(near) : portNames.length > 0 ? notSelected(portNames) : NOT_THERE;
  return report(
    'NO_GATEWAY',
    `mesh ${mesh.name} of cluster ${mesh.cluster} has no gateway for requests of other clusters: ${how}`,
  );
}

/** A Service that is selected and has no port of the name. */
export interface NearMiss {
  readonly destination: KnownDestination;
  readonly portName: string;
}

function notSelected(portNames: readonly string[]): string {
  const named = [...new Set(portNames)].slice(0, MOST_NAMED).join(' or ');
  return `no Service of that cluster fits spec.federation.eastWestIngressGatewaySelectors and has a port named ${named}; set portName to the port of the gateway's Service that takes mutual TLS, or select another Service`;
}

const NOT_THERE =
  'no Service of that cluster has the labels and the port of a default gateway; install one or set spec.federation.eastWestIngressGatewaySelectors';
const MOST_NAMED = 3;

function nearly(near: readonly NearMiss[]): string {
  const named = near.slice(0, MOST_NAMED).map(({ destination, portName }) => {
    const has = destination.ports.map(({ name, number }) => name || String(number)).join(', ') || 'none';
    return `Service ${destination.namespace}/${destination.name} is selected and has no port named ${portName} (it has ${has})`;
  });
  const rest = near.length > MOST_NAMED ? `, and ${near.length - MOST_NAMED} more` : '';
  return `${named.join('; ')}${rest}; set portName of the selector to the port that takes mutual TLS`;
}

function nameOf({ namespace, name, cluster }: KnownDestination): string {
  return `gateway Service ${namespace}/${name} in cluster ${cluster}`;
}

function report(code: string, message: string): Report {
  return { code, severity: 'error', field: FIELD, message };
}
