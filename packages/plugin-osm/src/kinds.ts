/** The OSM 1.x kinds that Meshrelay reads or writes, each in the only version that OSM 1.x serves. */
import { apiVersionOf, NAMESPACE, type ResourceKind } from '@meshrelay/plugin';

const namespaced = (group: string, version: string, kind: string, plural: string): ResourceKind => ({
  group,
  version,
  kind,
  plural,
  namespaced: true,
});

export const MESH_CONFIG: ResourceKind = namespaced(
  'config.openservicemesh.io',
  'v1alpha2',
  'MeshConfig',
  'meshconfigs',
);
export const MESH_ROOT_CERTIFICATE: ResourceKind = namespaced(
  'config.openservicemesh.io',
  'v1alpha2',
  'MeshRootCertificate',
  'meshrootcertificates',
);
export const TRAFFIC_TARGET: ResourceKind = namespaced(
  'access.smi-spec.io',
  'v1alpha3',
  'TrafficTarget',
  'traffictargets',
);
export const HTTP_ROUTE_GROUP: ResourceKind = namespaced(
  'specs.smi-spec.io',
  'v1alpha4',
  'HTTPRouteGroup',
  'httproutegroups',
);
export const TCP_ROUTE: ResourceKind = namespaced('specs.smi-spec.io', 'v1alpha4', 'TCPRoute', 'tcproutes');
export const TRAFFIC_SPLIT: ResourceKind = namespaced('split.smi-spec.io', 'v1alpha2', 'TrafficSplit', 'trafficsplits');
export const RETRY: ResourceKind = namespaced('policy.openservicemesh.io', 'v1alpha1', 'Retry', 'retries');
export const UPSTREAM_TRAFFIC_SETTING: ResourceKind = namespaced(
  'policy.openservicemesh.io',
  'v1alpha1',
  'UpstreamTrafficSetting',
  'upstreamtrafficsettings',
);

/** Kinds that discovery reads in addition to those that core watches. */
export const WATCHES: readonly ResourceKind[] = [MESH_CONFIG, MESH_ROOT_CERTIFICATE, NAMESPACE];

/** Everything that translation emits. */
export const WRITES: readonly ResourceKind[] = [
  TRAFFIC_TARGET,
  HTTP_ROUTE_GROUP,
  TCP_ROUTE,
  TRAFFIC_SPLIT,
  RETRY,
  UPSTREAM_TRAFFIC_SETTING,
];

/** An object of one of these kinds. */
export function osmObject(
  kind: ResourceKind,
  namespace: string,
  name: string,
  spec: Readonly<Record<string, unknown>>,
): {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace: string };
  readonly spec: Readonly<Record<string, unknown>>;
} {
  return { apiVersion: apiVersionOf(kind), kind: kind.kind, metadata: { name, namespace }, spec };
}
