/** Clusters of Istio that are members of one virtual mesh: shorthand for fleets. */
import type { ServiceSpec } from '@meshrelay/plugin-kit';

/** A control plane whose proxies resolve names that only the mesh has. */
export const CONTROL_PLANE = { config: { defaultConfig: { proxyMetadata: { ISTIO_META_DNS_CAPTURE: 'true' } } } };

/** The Mesh of a cluster's control plane. */
export function meshOf(cluster: string): object {
  return { name: `istiod-istio-system-${cluster}`, namespace: 'meshrelay' };
}

export const GATEWAY = 'istio-ingressgateway.istio-system';

/** Its Service. @param port in the syntax of {@link ServiceSpec}, @param exposure how others reach it */
export function gatewaySpec(port: string, exposure: Pick<ServiceSpec, 'loadBalancer' | 'spec'>): ServiceSpec {
  const labels = { istio: 'ingressgateway' };
  return { ports: [port], labels, selector: labels, ...exposure };
}
