/** A destination of another cluster as this mesh's proxies reach it by its federated name: connections and routes. */
import { CLUSTER_LABEL, type Output, type ReachView } from '@meshrelay/relay-core';
import { DESTINATION_RULE, istioObject, VIRTUAL_SERVICE } from '../kinds.ts';
import { remoteName } from '../names.ts';
import { present } from '../present.ts';
import { rootNamespace } from '../root-namespace.ts';
import { servicePorts } from './ports.ts';
import { connectionPolicies, connectionPool, outliers } from './traffic-policy.ts';
import { policiesOf, routesOf, virtualServiceSpec } from './virtual-service.ts';

/** A dead gateway must be found out soon: Envoy's own default is 10 seconds. */
const CONNECT_TIMEOUT_MS = 1000;

/** Ejects a gateway that fails while others do not; used wherever there is more than one way to go. */
const GATEWAY_OUTLIERS = {
  consecutiveErrors: 5,
  intervalMs: 10_000,
  baseEjectionTimeMs: 30_000,
  maxEjectionPercent: 100,
};

export function translateReach(view: ReachView, out: Output): void {
  const { destination, consumer, hostname, routes, subsets, virtualMesh } = view;
  const emit = (kind: typeof DESTINATION_RULE, spec: Record<string, unknown>, because = [virtualMesh]) =>
    out.emit(consumer.cluster, istioObject(kind, rootNamespace(consumer), remoteName(destination), spec), because);
  if (servicePorts(destination, false).length === 0) {
    out.report(virtualMesh, {
      code: 'UNSUPPORTED',
      severity: 'warning',
      field: 'spec.federation',
      message: `Service ${destination.namespace}/${destination.name} of cluster ${destination.cluster} has no port that gateways can carry (TCP only)`,
    });
    return;
  }
  reportOtherProtocols(view, out);
  emit(DESTINATION_RULE, destinationRule(view), [virtualMesh, ...connectionPolicies(view.connection, subsets)]);
  reportOtherTls(view, out);
  const carried = routesOf(routes, out);
  if (carried.length > 0) {
    emit(VIRTUAL_SERVICE, virtualServiceSpec(hostname, carried, destination.ports.length), [
      virtualMesh,
      ...policiesOf(carried),
    ]);
  }
}

function reportOtherProtocols({ destination, virtualMesh }: ReachView, out: Output): void {
  const left = destination.ports.filter(({ protocol }) => protocol === 'UDP').map(({ number }) => number);
  if (left.length === 0) return;
  out.report(virtualMesh, {
    code: 'UNSUPPORTED',
    severity: 'info',
    field: 'spec.federation',
    message: `gateways carry TCP only, so the ports ${left.join(', ')} of Service ${destination.namespace}/${destination.name} of cluster ${destination.cluster} are not federated`,
  });
}

/** Gateways tell where a request goes by the SNI of mutual TLS; nothing else passes them. */
function reportOtherTls({ destination, consumer, connection: { mtls } }: ReachView, out: Output): void {
  if (mtls === undefined || mtls.value === 'MUTUAL') return;
  for (const policy of mtls.from) {
    out.report(policy, {
      code: 'UNSUPPORTED',
      severity: 'warning',
      field: 'spec.policy.mtls',
      message: `callers in cluster ${consumer.cluster} use mutual TLS towards ${destination.namespace}/${destination.name} of cluster ${destination.cluster} all the same: gateways pass nothing else`,
    });
  }
}

/** Subsets have real labels only in the cluster of the workloads; here their name alone travels, in the SNI, through the gateway. */
function destinationRule({
  destination,
  hostname,
  subsets,
  connection,
  ways,
  tcpKeepalive,
}: ReachView): Record<string, unknown> {
  const outlierDetection = connection.outlierDetection?.value ?? (ways === 'several' ? GATEWAY_OUTLIERS : undefined);
  const pool = connection.pool?.value ?? {};
  return present({
    host: hostname,
    trafficPolicy: present({
      tls: { mode: 'ISTIO_MUTUAL' },
      outlierDetection: outlierDetection === undefined ? undefined : outliers(outlierDetection),
      connectionPool: connectionPool({
        connectTimeoutMs: CONNECT_TIMEOUT_MS,
        ...(tcpKeepalive === undefined ? {} : { tcpKeepalive }),
        ...pool,
      }),
    }),
    subsets: subsets.map(({ value }) => ({ name: value.name, labels: { [CLUSTER_LABEL]: destination.cluster } })),
  });
}
