// What an omitted field means, for the few fields where it means a value. All others: omitted means omitted.
import type { KubernetesClusterSpec } from './multicluster/kubernetes-cluster.ts';
import type { AccessAction, AccessPolicySpec } from './networking/access-policy.ts';
import type { TrafficPolicySpec } from './networking/traffic-policy.ts';
import type { OutlierDetection } from './networking/traffic-rules.ts';
import type { TrafficShift } from './networking/traffic-shift.ts';
import type {
  Federation,
  FederationMode,
  GlobalAccessPolicy,
  MtlsConfig,
  VirtualMeshSpec,
} from './networking/virtual-mesh.ts';
import type { IngressGatewaySelector } from './shared/selector.ts';

/** DNS domain of Services in a cluster that names none. */
export const DEFAULT_CLUSTER_DOMAIN = 'cluster.local';
/** Last part of federated host names in a virtual mesh that names none. */
export const DEFAULT_HOSTNAME_SUFFIX = 'global';
/** Name of the gateway Service's port that takes in traffic from other clusters, where none is named. */
export const DEFAULT_GATEWAY_PORT_NAME = 'tls';
/** Weight of a goal of a traffic shift that names none. */
export const DEFAULT_WEIGHT = 1;

/** A {@link Federation} with nothing left open. */
export type DefaultedFederation = Federation & { readonly mode: FederationMode; readonly hostnameSuffix: string };

/** A {@link VirtualMeshSpec} with nothing left open. */
export type DefaultedVirtualMeshSpec = VirtualMeshSpec & {
  readonly federation: DefaultedFederation;
  readonly globalAccessPolicy: GlobalAccessPolicy;
};

/** Federation is SELECTED under `global`, access is up to the mesh, and a shared root without a source is generated. */
export function defaultVirtualMeshSpec(spec: VirtualMeshSpec): DefaultedVirtualMeshSpec {
  return {
    ...spec,
    ...(spec.mtlsConfig === undefined ? {} : { mtlsConfig: defaultMtlsConfig(spec.mtlsConfig) }),
    federation: { ...defaultFederation, ...spec.federation },
    globalAccessPolicy: spec.globalAccessPolicy ?? 'MESH_DEFAULT',
  };
}

const defaultFederation: DefaultedFederation = { mode: 'SELECTED', hostnameSuffix: DEFAULT_HOSTNAME_SUFFIX };

function defaultMtlsConfig(config: MtlsConfig): MtlsConfig {
  if (config.shared === undefined) return config;
  const authority = config.shared.rootCertificateAuthority ?? {};
  if (authority.generated !== undefined || authority.secret !== undefined) return config;
  return { ...config, shared: { ...config.shared, rootCertificateAuthority: { generated: {} } } };
}

/** An {@link AccessPolicySpec} whose action is said. */
export type DefaultedAccessPolicySpec = AccessPolicySpec & { readonly action: AccessAction };

/** The action is ALLOW. */
export function defaultAccessPolicySpec(spec: AccessPolicySpec): DefaultedAccessPolicySpec {
  return { ...spec, action: spec.action ?? 'ALLOW' };
}

/** Outlier detection, where asked for, looks for 5 errors every 10s, ejects for 30s and may eject all; goals of a shift have the weight 1. */
export function defaultTrafficPolicySpec(spec: TrafficPolicySpec): TrafficPolicySpec {
  const { outlierDetection, trafficShift } = spec.policy ?? {};
  if (outlierDetection === undefined && trafficShift === undefined) return spec;
  return {
    ...spec,
    policy: {
      ...spec.policy,
      ...(outlierDetection === undefined
        ? {}
        : { outlierDetection: { ...defaultOutlierDetection, ...outlierDetection } }),
      ...(trafficShift === undefined ? {} : { trafficShift: defaultTrafficShift(trafficShift) }),
    },
  };
}

function defaultTrafficShift({ destinations }: TrafficShift): TrafficShift {
  return { destinations: destinations.map((goal) => ({ weight: DEFAULT_WEIGHT, ...goal })) };
}

/** Outlier detection with nothing said. */
export const defaultOutlierDetection: Required<OutlierDetection> = {
  consecutiveErrors: 5,
  interval: '10s',
  baseEjectionTime: '30s',
  maxEjectionPercent: 100,
};

/** The same behind a name over clusters: what is ejected sends the requests to another cluster. */
export const defaultLocalizedOutlierDetection: Required<OutlierDetection> = {
  consecutiveErrors: 10,
  interval: '5s',
  baseEjectionTime: '2m',
  maxEjectionPercent: 100,
};

/** A {@link KubernetesClusterSpec} whose domain and suspension are said. */
export type DefaultedKubernetesClusterSpec = KubernetesClusterSpec & {
  readonly clusterDomain: string;
  readonly suspended: boolean;
};

/** The domain is `cluster.local` and the cluster is not suspended. */
export function defaultKubernetesClusterSpec(spec: KubernetesClusterSpec): DefaultedKubernetesClusterSpec {
  return { clusterDomain: DEFAULT_CLUSTER_DOMAIN, suspended: false, ...spec };
}

/** The port is `tls`. */
export function defaultIngressGatewaySelector(
  selector: IngressGatewaySelector,
): IngressGatewaySelector & { readonly portName: string } {
  return { portName: DEFAULT_GATEWAY_PORT_NAME, ...selector };
}
