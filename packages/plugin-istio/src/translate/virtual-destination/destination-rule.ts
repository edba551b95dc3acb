/** The DestinationRule of a virtual destination: without outlier detection Istio fails over nothing, and says nothing. */
import type { PolicyRef } from '@meshrelay/api';
import type { Output, VirtualDestinationView } from '@meshrelay/relay-core';
import { present } from '../../present.ts';
import { connectionPolicies } from '../traffic/connection-policies.ts';
import { poolLimits } from '../traffic/connection-pool.ts';
import { outliers } from '../traffic/outlier-detection.ts';
import type { Order } from './order.ts';

/** A dead gateway or pod must be found out soon: Envoy's own default is 10 seconds. */
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
 * Gateways tell by the name in the handshake where a request goes, and know the pods of their own cluster by another name than callers use.
 * Istio would take the identities of the pods that it knows itself for those of all endpoints.
 */
function tls({ groups, port, gatewayHostname, identities }: VirtualDestinationView): Record<string, unknown> {
  if (groups.every(({ local }) => local)) return { mode: 'ISTIO_MUTUAL' };
  return present({
    mode: 'ISTIO_MUTUAL',
    sni: `outbound_.${port.number}_._.${gatewayHostname}`,
    subjectAltNames: identities.map((identity) => `spiffe://${identity}`),
  });
}

/** The policies behind the rule. */
export function rulePolicies({ virtualDestination, sameHostname }: VirtualDestinationView): readonly PolicyRef[] {
  if (sameHostname === undefined) return [virtualDestination];
  return [virtualDestination, ...connectionPolicies(sameHostname.connection, sameHostname.subsets)];
}

/** Settings of policies for the Service that give way where its own name is a virtual destination's. */
export function reportOverruled(
  { hostname, outlierDetection, sameHostname }: VirtualDestinationView,
  out: Output,
): void {
  const { mtls, outlierDetection: required } = sameHostname?.connection ?? {};
  const report = (policies: readonly PolicyRef[], field: string, message: string) => {
    for (const policy of policies) out.report(policy, { code: 'UNSUPPORTED', severity: 'warning', field, message });
  };
  if (mtls !== undefined && mtls.value !== 'MUTUAL') {
    const message = `callers use mutual TLS towards ${hostname} all the same: a virtual destination has that name, and gateways pass nothing else`;
    report(mtls.from, 'spec.policy.mtls', message);
  }
  if (
    required !== undefined &&
    JSON.stringify(outliers(required.value)) !== JSON.stringify(outliers(outlierDetection))
  ) {
    const message = `a virtual destination has the name ${hostname} and says itself when its endpoints are left out; set it in spec.localized.outlierDetection there`;
    report(required.from, 'spec.policy.outlierDetection', message);
  }
}
