/** The addresses at which clients outside the cluster reach a Service. */
import type { ExternalAddress } from '@meshrelay/api';
import { type Collection, key, type Read, type Service } from '@meshrelay/plugin';
import { addressKind } from '../plugin/endpoint.ts';
import type { Locality, NodeAddresses } from './nodes.ts';

export interface NodeInputs {
  readonly nodeAddresses: Collection<NodeAddresses>;
  readonly localities: Collection<Locality>;
}

/** More nodes would make every endpoint list longer, and none more reliable. */
const MAX_NODES = 8;

/**
 * External IPs from the Service; addresses of a load balancer from its status; for node ports, the nodes on which pods
 * of the Service run. Those nodes accept requests under any `externalTrafficPolicy`, and without another hop.
 * @param nodes names of the nodes that ready pods of the Service run on, sorted
 */
export function externalAddresses(
  { spec, status }: Service,
  nodes: readonly string[],
  inputs: NodeInputs,
  read: Read,
): ExternalAddress[] {
  const ips = (spec?.externalIPs ?? []).map((ip) => ({ ip }));
  switch (spec?.type) {
    case 'ExternalName':
      return [];
    case 'LoadBalancer':
      return [...ips, ...(status?.loadBalancer?.ingress ?? []).flatMap(loadBalancerAddress)];
    case 'NodePort':
      return [...ips, ...addressesOfNodes(nodes, inputs, read)];
    default:
      return ips;
  }
}

/** One of the two, as the API requires: an IP address needs no DNS. */
function loadBalancerAddress({
  ip,
  hostname,
}: {
  readonly ip?: string;
  readonly hostname?: string;
}): ExternalAddress[] {
  if (ip !== undefined && ip !== '') return [{ ip }];
  return hostname === undefined || hostname === '' ? [] : [{ dnsName: hostname }];
}

/**
 * External addresses if any of the nodes has one: nodes with only internal addresses are then not meant to be reached
 * from outside.
 */
function addressesOfNodes(
  nodes: readonly string[],
  { nodeAddresses, localities }: NodeInputs,
  read: Read,
): ExternalAddress[] {
  const ready = nodes.flatMap((node) => {
    const addresses = read.get(nodeAddresses, key('', node));
    return addresses === undefined ? [] : [{ node, ...addresses }];
  });
  const reach = ready.some(({ external }) => external.length > 0) ? 'external' : 'internal';
  return ready
    .filter((one) => one[reach].length > 0)
    .slice(0, MAX_NODES)
    .flatMap(({ node, ...addresses }) => {
      const { zone, subZone } = read.get(localities, key('', node)) ?? {};
      const place = zone === undefined ? {} : { subLocality: { zone, ...(subZone === undefined ? {} : { subZone }) } };
      return addresses[reach].map((address) =>
        addressKind(address) === 'hostname' ? { dnsName: address, node, ...place } : { ip: address, node, ...place },
      );
    });
}
