/** A Service as a gateway: the addresses at which other clusters reach it, or why they cannot. */
import type { Report } from '@meshrelay/api';
import { CLUSTER_LABEL, type GatewayEndpointView, type GatewayView } from '@meshrelay/plugin';
import { addressKind } from '../../plugin/endpoint.ts';
import type { ExposedAddress, ExposedPort, Exposure, KnownDestination } from '../inventory/mod.ts';
import { GATEWAY_FIELD } from './no-gateway.ts';

/** The gateway, or why its Service cannot be one. */
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
    const message = `${where} has a UDP port ${portName}, and gateways support only TCP; set its spec.ports[].protocol to TCP or select another portName`;
    return { report: report('GATEWAY_PORT_UNUSABLE', message) };
  }
  const port = exposure?.ports.find((one) => one.name === portName);
  const endpoints = port === undefined ? [] : (exposure?.addresses ?? []).flatMap(endpointAt(destination, port));
  if (exposure === undefined || port === undefined || endpoints.length === 0)
    return { report: report('GATEWAY_WITHOUT_ADDRESS', `${where} ${whyUnreachable(destination, portName, exposure)}`) };
  if (port.targetPort === undefined) {
    const message = `${where} has a named target port for ${portName} and no endpoint with its number yet; start its pods, or set spec.ports[].targetPort to a number`;
    return { report: report('GATEWAY_PORT_UNKNOWN', message) };
  }
  const { serviceAccounts } = destination;
  return { gateway: { name, namespace, workloadSelector, serviceAccounts, containerPort: port.targetPort, endpoints } };
}

/** Nodes are dialled at the node port, all other addresses at the Service's port. */
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
  const instead = 'or set its spec.externalIPs';
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

function nameOf({ namespace, name, cluster }: KnownDestination): string {
  return `gateway Service ${namespace}/${name} in cluster ${cluster}`;
}

function report(code: string, message: string): Report {
  return { code, severity: 'error', field: GATEWAY_FIELD, message };
}
