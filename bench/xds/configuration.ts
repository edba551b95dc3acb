/**
 * Configuration as plugin-envoy writes it: an object for each Service's cluster, one for its endpoints, one for the
 * workload that reaches them all.
 */
import type { JsonObject } from '@meshrelay/envoy-api';
import type { ShardSpec } from '@meshrelay/envoy-api/xds';

export function nameOf(service: number): string {
  return `outbound|9080||service-${service}.shop.svc.cluster.local`;
}

export function clusterOf(service: number): ShardSpec {
  const eds = { edsConfig: { ads: {}, resourceApiVersion: 'V3' } };
  const value: JsonObject = { name: nameOf(service), type: 'EDS', connectTimeout: '5s', edsClusterConfig: eds };
  return { resources: [{ type: 'cluster', name: nameOf(service), value }] };
}

/** Of three pods; edits change `port`. */
export function endpointsOf(service: number, port: number): ShardSpec {
  const pod = (at: number): JsonObject => ({
    endpoint: {
      address: { socketAddress: { address: `10.${service >> 8}.${service & 255}.${at}`, portValue: port } },
    },
    loadBalancingWeight: 1,
  });
  const value: JsonObject = {
    clusterName: nameOf(service),
    endpoints: [{ locality: { region: 'r1', zone: 'z1' }, lbEndpoints: [pod(1), pod(2), pod(3)] }],
  };
  return { resources: [{ type: 'clusterLoadAssignment', name: nameOf(service), value }] };
}

/** The identity `shop/web` reaches all of them. */
export function workload(services: number): ShardSpec {
  const clusters = Array.from({ length: services }, (_, service) => nameOf(service));
  return { proxies: [{ namespace: 'shop', serviceAccount: 'web', listeners: [], clusters }] };
}
