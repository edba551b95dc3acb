/** A destination of another cluster, as the sidecars of this cluster call it by its federated name. */
import {
  type ConnectionView,
  type FederatedDestinationView,
  type MtlsMode,
  type Output,
  reportRolloutSubsets,
} from '@meshrelay/plugin';
import { remoteServiceName } from '../names.ts';
import { assignmentName, clusterName } from './cluster/names.ts';
import { portClusters } from './cluster/port-clusters.ts';
import { portTransportsOf } from './cluster/port-transport.ts';
import { identitiesOf } from './cluster/tls.ts';
import { virtualHost } from './route/virtual-host.ts';
import { sourcePoliciesOf } from './source-policies.ts';
import { clusterResource, hostResource, xdsConfig } from './xds-config.ts';

/** Ejects a failing gateway while others work; used for destinations with more than one gateway. */
const GATEWAY_OUTLIERS = {
  consecutiveErrors: 5,
  intervalMs: 10_000,
  baseEjectionTimeMs: 30_000,
  maxEjectionPercent: 100,
};

export function translateFederatedDestination(view: FederatedDestinationView, out: Output): void {
  const { destination, consumer, hostname, routes, subsets, virtualMesh, direct, tcpKeepalive } = view;
  const mode = modeOf(view);
  reportOtherTls(view, out);
  reportRolloutSubsets(view, out);
  const identities = identitiesOf(destination);
  const resources = destination.ports
    .filter((port) => portTransportsOf(port).length > 0)
    .flatMap((port) => {
      const clusters = portClusters({
        hostname,
        port,
        assignment: assignmentName(hostname, port.number, mode !== 'MUTUAL'),
        connection: connectionOf(view),
        ...(tcpKeepalive === undefined ? {} : { keepalive: tcpKeepalive }),
        mode,
        identities,
        sni: (subset) => (mode === 'SIMPLE' ? hostname : clusterName(hostname, port.number, subset)),
        subsets: subsets.map(({ value }) => value),
        labelled: direct,
      });
      const host = virtualHost({ hostnames: [hostname], port, routes, cluster: clusterName(hostname, port.number) });
      return [...clusters.map(clusterResource), ...(host === undefined ? [] : [hostResource(host)])];
    });
  if (resources.length === 0) return;
  out.emit(consumer.cluster, xdsConfig(consumer, remoteServiceName(destination), { resources }), [
    virtualMesh,
    ...sourcePoliciesOf(view),
  ]);
}

/** Gateways route by the SNI of mutual TLS, and pass no other traffic. */
function modeOf({ direct, connection: { mtls } }: FederatedDestinationView): MtlsMode {
  return direct ? (mtls?.value ?? 'MUTUAL') : 'MUTUAL';
}

function connectionOf({ connection, endpointMultiplicity }: FederatedDestinationView): ConnectionView {
  if (connection.outlierDetection !== undefined || endpointMultiplicity === 'single') return connection;
  return { ...connection, outlierDetection: { value: GATEWAY_OUTLIERS, from: [] } };
}

function reportOtherTls(
  { destination, consumer, direct, connection: { mtls } }: FederatedDestinationView,
  out: Output,
): void {
  if (direct || mtls === undefined || mtls.value === 'MUTUAL') return;
  for (const policy of mtls.from) {
    out.report(policy, {
      code: 'UNSUPPORTED',
      severity: 'warning',
      field: 'spec.policy.mtls',
      message: `callers in cluster ${consumer.cluster} use mutual TLS towards ${destination.namespace}/${destination.name} of cluster ${destination.cluster} in any case: gateways accept nothing else`,
    });
  }
}
