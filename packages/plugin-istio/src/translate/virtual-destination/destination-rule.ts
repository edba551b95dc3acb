/** The DestinationRule of a virtual destination: without outlier detection Istio silently disables failover. */
import type { Output, PolicyRef, VirtualDestinationView } from '@meshrelay/plugin';
import { present } from '../../present.ts';
import { connectionPolicies } from '../traffic/connection-policies.ts';
import { poolLimits } from '../traffic/connection-pool.ts';
import { outliers } from '../traffic/outlier-detection.ts';
import type { Order } from './order.ts';

/** Callers must detect a failed gateway or pod quickly; Envoy's default is 10 seconds. */
const CONNECT_TIMEOUT_MS = 1000;

export function destinationRule(view: VirtualDestinationView, { localityLbSetting }: Order): Record<string, unknown> {
  const { hostname, outlierDetection, sameHostname, tcpKeepalive } = view;
  const { connection, subsets } = sameHostname ?? { connection: {}, subsets: [] };
  return present({
    host: hostname,
    trafficPolicy: {
      tls: tls(view),
      outlierDetection: outliers(outlierDetection),
      connectionPool: poolLimits({
        connectTimeoutMs: CONNECT_TIMEOUT_MS,
        ...(tcpKeepalive === undefined ? {} : { tcpKeepalive }),
        ...connection.pool?.value,
      }),
      loadBalancer: { localityLbSetting },
    },
    subsets: subsets.map(({ value: { name, labels } }) => ({ name, labels })),
  });
}

/**
 * Gateways route by the SNI, and know the pods of their own cluster by another name than callers do. Without
 * `subjectAltNames` Istio would expect the identities of the local pods from all endpoints.
 */
function tls({ groups, port, gatewayHostname, identities }: VirtualDestinationView): Record<string, unknown> {
  if (groups.every(({ local }) => local)) return { mode: 'ISTIO_MUTUAL' };
  return present({
    mode: 'ISTIO_MUTUAL',
    sni: `outbound_.${port.number}_._.${gatewayHostname}`,
    subjectAltNames: identities.map((identity) => `spiffe://${identity}`),
  });
}

/** The source policies of the rule. */
export function rulePolicies({ virtualDestination, sameHostname }: VirtualDestinationView): readonly PolicyRef[] {
  if (sameHostname === undefined) return [virtualDestination];
  return [virtualDestination, ...connectionPolicies(sameHostname.connection, sameHostname.subsets)];
}

/** Reports settings of policies for the Service that a virtual destination with the Service's own name overrides. */
export function reportOverruled(
  { hostname, outlierDetection, sameHostname }: VirtualDestinationView,
  out: Output,
): void {
  const { mtls, outlierDetection: required } = sameHostname?.connection ?? {};
  const report = (policies: readonly PolicyRef[], field: string, message: string) => {
    for (const policy of policies) out.report(policy, { code: 'UNSUPPORTED', severity: 'warning', field, message });
  };
  if (mtls !== undefined && mtls.value !== 'MUTUAL') {
    const message = `callers use mutual TLS towards ${hostname} in any case: a virtual destination has that name, and gateways accept nothing else`;
    report(mtls.from, 'spec.policy.mtls', message);
  }
  if (
    required !== undefined &&
    JSON.stringify(outliers(required.value)) !== JSON.stringify(outliers(outlierDetection))
  ) {
    const message = `a virtual destination has the name ${hostname} and has its own outlier detection; set spec.localized.outlierDetection there`;
    report(required.from, 'spec.policy.outlierDetection', message);
  }
}
