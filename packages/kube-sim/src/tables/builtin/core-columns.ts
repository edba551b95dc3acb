/** Columns of the other built-in kinds. */
import type { KubeObject } from '../../object.ts';
import type { PrinterColumn } from '../column.ts';
import { AGE, column, labelText, orNone, wide } from './column-builders.ts';

interface ServicePort {
  readonly port: number;
  readonly nodePort?: number;
  readonly protocol?: string;
}

interface Ingress {
  readonly ip?: string;
  readonly hostname?: string;
}

function externalAddress(service: KubeObject): string {
  const spec = service['spec'] ?? {};
  const external: readonly string[] = spec.externalIPs ?? [];
  if (spec.type === 'ExternalName') return orNone(spec.externalName);
  if (spec.type !== 'LoadBalancer') return orNone(external.join(','));
  const ingress: readonly Ingress[] = service['status']?.loadBalancer?.ingress ?? [];
  const addresses = ingress.map((each) => each.ip ?? each.hostname ?? '').filter((each) => each !== '');
  return orNone([...addresses, ...external].join(','), '<pending>');
}

function servicePorts(service: KubeObject): string {
  const ports: readonly ServicePort[] = service['spec']?.ports ?? [];
  return orNone(
    ports
      .map(({ port, nodePort, protocol = 'TCP' }) => `${port}${nodePort ? `:${nodePort}` : ''}/${protocol}`)
      .join(','),
  );
}

/** Columns of Services. */
export const serviceColumns: readonly PrinterColumn[] = [
  column('Type', (service) => service['spec']?.type ?? ''),
  column('Cluster-IP', (service) => orNone(service['spec']?.clusterIP)),
  column('External-IP', externalAddress),
  column('Port(s)', servicePorts),
  AGE,
  wide('Selector', (service) => labelText(service['spec']?.selector)),
];

/** Columns of Namespaces. */
export const namespaceColumns: readonly PrinterColumn[] = [
  column('Status', (namespace) => namespace['status']?.phase ?? ''),
  AGE,
];

function nodeStatus(node: KubeObject): string {
  const conditions: readonly { readonly type: string; readonly status: string }[] = node['status']?.conditions ?? [];
  const ready = conditions.find((each) => each.type === 'Ready');
  const state = ready === undefined ? 'Unknown' : ready.status === 'True' ? 'Ready' : 'NotReady';
  return node['spec']?.unschedulable === true ? `${state},SchedulingDisabled` : state;
}

function nodeRoles(node: KubeObject): string {
  const prefix = 'node-role.kubernetes.io/';
  const labels = Object.keys(node.metadata.labels ?? {});
  return orNone(
    labels
      .filter((label) => label.startsWith(prefix))
      .map((label) => label.slice(prefix.length))
      .sort()
      .join(','),
  );
}

function nodeAddress(node: KubeObject, type: string): string {
  const addresses: readonly { readonly type: string; readonly address: string }[] = node['status']?.addresses ?? [];
  return orNone(addresses.find((each) => each.type === type)?.address);
}

/** Columns of Nodes. */
export const nodeColumns: readonly PrinterColumn[] = [
  column('Status', nodeStatus),
  column('Roles', nodeRoles),
  AGE,
  column('Version', (node) => node['status']?.nodeInfo?.kubeletVersion ?? ''),
  wide('Internal-IP', (node) => nodeAddress(node, 'InternalIP')),
  wide('External-IP', (node) => nodeAddress(node, 'ExternalIP')),
  wide('OS-Image', (node) => orNone(node['status']?.nodeInfo?.osImage, '<unknown>')),
  wide('Kernel-Version', (node) => orNone(node['status']?.nodeInfo?.kernelVersion, '<unknown>')),
  wide('Container-Runtime', (node) => orNone(node['status']?.nodeInfo?.containerRuntimeVersion, '<unknown>')),
];

function keyCount(...members: readonly string[]): (object: KubeObject) => number {
  return (object) => members.reduce((sum, member) => sum + Object.keys(object[member] ?? {}).length, 0);
}

/** Columns of ConfigMaps. */
export const configMapColumns: readonly PrinterColumn[] = [
  column('Data', keyCount('data', 'binaryData'), 'integer'),
  AGE,
];

/** Columns of Secrets. */
export const secretColumns: readonly PrinterColumn[] = [
  column('Type', (secret) => secret['type'] ?? ''),
  column('Data', keyCount('data'), 'integer'),
  AGE,
];

/** Columns of ServiceAccounts. */
export const serviceAccountColumns: readonly PrinterColumn[] = [
  column('Secrets', (account) => account['secrets']?.length ?? 0, 'integer'),
  AGE,
];

interface EndpointSubset {
  readonly addresses?: readonly { readonly ip: string }[];
  readonly ports?: readonly { readonly port: number }[];
}

/** More addresses than this are counted instead of shown. */
const MAX_ADDRESSES = 3;

function shortened(all: readonly string[], separator: string): string {
  const more = all.length - MAX_ADDRESSES;
  return orNone(all.slice(0, MAX_ADDRESSES).join(',')) + (more > 0 ? `${separator}${more} more...` : '');
}

/** Columns of Endpoints. */
export const endpointsColumns: readonly PrinterColumn[] = [
  column('Endpoints', (endpoints) => {
    const subsets: readonly EndpointSubset[] = endpoints['subsets'] ?? [];
    const all = subsets.flatMap(({ addresses = [], ports = [] }) =>
      ports.flatMap(({ port }) => addresses.map(({ ip }) => `${ip}:${port}`)),
    );
    return shortened(all, ' + ');
  }),
  AGE,
];

/** Columns of EndpointSlices. */
export const endpointSliceColumns: readonly PrinterColumn[] = [
  column('AddressType', (slice) => slice['addressType'] ?? ''),
  column('Ports', (slice) => {
    const ports: readonly { readonly port?: number }[] = slice['ports'] ?? [];
    return ports.length === 0
      ? '<unset>'
      : shortened(
          ports.map(({ port }) => String(port ?? '*')),
          ' + ',
        );
  }),
  column('Endpoints', (slice) => {
    const endpoints: readonly { readonly addresses: readonly string[] }[] = slice['endpoints'] ?? [];
    return endpoints.length === 0
      ? '<unset>'
      : shortened(
          endpoints.flatMap((each) => each.addresses),
          ' + ',
        );
  }),
  AGE,
];

/** Columns of Leases. */
export const leaseColumns: readonly PrinterColumn[] = [
  column('Holder', (lease) => lease['spec']?.holderIdentity ?? ''),
  AGE,
];

/** Columns of Roles and ClusterRoles. */
export const createdAtColumns: readonly PrinterColumn[] = [
  column('Created At', (object) => object.metadata.creationTimestamp ?? '', 'date'),
];

/** Columns of RoleBindings and ClusterRoleBindings. */
export const bindingColumns: readonly PrinterColumn[] = [
  column('Role', (binding) => `${binding['roleRef']?.kind ?? ''}/${binding['roleRef']?.name ?? ''}`),
  AGE,
];
