/** A destination of another cluster, as this mesh's proxies reach it by its federated name: connections and routes. */
import { CLUSTER_LABEL, type FederatedDestinationView, type Output, reportRolloutSubsets } from '@meshrelay/plugin';
import { DESTINATION_RULE, istioObject, VIRTUAL_SERVICE } from '../kinds.ts';
import { remoteName } from '../names.ts';
import { present } from '../present.ts';
import { rootNamespace } from '../root-namespace.ts';
import { reportUnseenTargets } from './hidden-services.ts';
import { reportDirectCallsWithoutSidecars, reportRefusedCallers } from './inbound-mtls.ts';
import { connectionPolicies } from './traffic/connection-policies.ts';
import { poolLimits } from './traffic/connection-pool.ts';
import { TLS_MODES } from './traffic/mtls.ts';
import { outliers } from './traffic/outlier-detection.ts';
import { policiesOf, routesOf, virtualServiceSpec } from './virtual-service.ts';

/** Callers must detect a failed gateway quickly; Envoy's default is 10 seconds. */
const CONNECT_TIMEOUT_MS = 1000;

/** Ejects a failing gateway while others work; used for destinations with more than one gateway. */
const GATEWAY_OUTLIERS = {
  consecutiveErrors: 5,
  intervalMs: 10_000,
  baseEjectionTimeMs: 30_000,
  maxEjectionPercent: 100,
};

export function translateFederatedDestination(view: FederatedDestinationView, out: Output): void {
  const { destination, consumer, hostname, routes, subsets, virtualMesh } = view;
  const emit = (kind: typeof DESTINATION_RULE, spec: Record<string, unknown>, sourcePolicies = [virtualMesh]) =>
    out.emit(
      consumer.cluster,
      istioObject(kind, rootNamespace(consumer), remoteName(destination), spec),
      sourcePolicies,
    );
  emit(DESTINATION_RULE, destinationRule(view), [virtualMesh, ...connectionPolicies(view.connection, subsets)]);
  reportOtherTls(view, out);
  reportRolloutSubsets(view, out);
  if (view.direct) {
    const { mtls } = view.connection;
    if (mtls === undefined) reportDirectCallsWithoutSidecars(destination, virtualMesh, out);
    else reportRefusedCallers(destination, mtls, view.inbound, out);
  }
  const supported = routesOf(routes, out);
  reportUnseenTargets(supported, undefined, consumer, out);
  if (supported.length > 0) {
    emit(VIRTUAL_SERVICE, virtualServiceSpec(hostname, supported, destination.ports.length), [
      virtualMesh,
      ...policiesOf(supported),
    ]);
  }
}

/** Gateways route by the SNI of mutual TLS, and pass no other traffic. */
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

/**
 * Behind gateways, subsets have labels only in the cluster of their workloads; here only the subset's name is sent, in
 * the SNI. Pods that are reached directly have their labels here too.
 */
function destinationRule({
  destination,
  hostname,
  subsets,
  connection,
  direct,
  endpointMultiplicity,
  tcpKeepalive,
}: FederatedDestinationView): Record<string, unknown> {
  const outlierDetection =
    connection.outlierDetection?.value ?? (endpointMultiplicity === 'multiple' ? GATEWAY_OUTLIERS : undefined);
  const pool = connection.pool?.value ?? {};
  return present({
    host: hostname,
    trafficPolicy: present({
      tls: { mode: direct ? TLS_MODES[connection.mtls?.value ?? 'MUTUAL'] : TLS_MODES.MUTUAL },
      outlierDetection: outlierDetection === undefined ? undefined : outliers(outlierDetection),
      connectionPool: poolLimits({
        connectTimeoutMs: CONNECT_TIMEOUT_MS,
        ...(tcpKeepalive === undefined ? {} : { tcpKeepalive }),
        ...pool,
      }),
    }),
    subsets: subsets.map(({ value: { name, labels } }) => ({
      name,
      labels: direct ? labels : { [CLUSTER_LABEL]: destination.cluster },
    })),
  });
}
