// VirtualMesh: meshes that trust each other and share services.
import type { NETWORKING_API_VERSION } from '../group.ts';
import type { KubeObject } from '../kube/object.ts';
import type { ObjectRef } from '../shared/ref.ts';
import type { DestinationSelector, IngressGatewaySelector } from '../shared/selector.ts';
import type { PolicyStatus } from '../shared/status.ts';
import type { TcpKeepalive } from '../shared/tcp-keepalive.ts';
import type { CertificateOptions } from './certificate-options.ts';

/** Where the shared root comes from; at most one, none means `generated`. */
export interface RootCertificateAuthority {
  /** The server makes the root; `{}` for the defaults. */
  readonly generated?: CertificateOptions;
  /** A Secret of the management cluster holds the root. */
  readonly secret?: ObjectRef;
}

/** One root certificate signs an intermediate for every member. */
export interface SharedTrust {
  readonly rootCertificateAuthority?: RootCertificateAuthority;
  /** For the intermediates of the members. */
  readonly intermediateCertOptions?: CertificateOptions;
}

/** Only gateways trust each other; members keep their own roots. */
export type LimitedTrust = Readonly<Record<string, never>>;

/** How members come to trust each other; at most one of `shared` and `limited`, neither leaves trust as it is. */
export interface MtlsConfig {
  readonly shared?: SharedTrust;
  readonly limited?: LimitedTrust;
  /** Restart pods that hold certificates of a former root; otherwise the user does. */
  readonly autoRestartPods?: boolean;
  /** Every member accepts mutual TLS only. */
  readonly strict?: boolean;
}

/** SELECTED: what `selectors` say. ALL: everything everywhere. NONE: nothing. */
export type FederationMode = 'SELECTED' | 'ALL' | 'NONE';

/** Which destinations are made known in which meshes. */
export interface FederationSelector {
  /** Omitted or empty: every destination of every member. */
  readonly destinationSelectors?: readonly DestinationSelector[];
  /** Omitted or empty: to every other member. */
  readonly meshes?: readonly ObjectRef[];
}

/** How destinations are made known across members. */
export interface Federation {
  /** Omitted means SELECTED. */
  readonly mode?: FederationMode;
  readonly selectors?: readonly FederationSelector[];
  /** Requests go to the pods directly, not through gateways. */
  readonly flatNetwork?: boolean;
  /** Last part of federated host names; omitted means `global`. */
  readonly hostnameSuffix?: string;
  readonly eastWestIngressGatewaySelectors?: readonly IngressGatewaySelector[];
  /** For connections to other clusters. */
  readonly tcpKeepalive?: TcpKeepalive;
}

/** ENABLED: what no AccessPolicy allows is refused. DISABLED: it is allowed. MESH_DEFAULT: the mesh decides. */
export type GlobalAccessPolicy = 'MESH_DEFAULT' | 'ENABLED' | 'DISABLED';

/** What the user wants of the group. */
export interface VirtualMeshSpec {
  /** The members, Mesh objects of the management cluster; a mesh belongs to one virtual mesh at most. */
  readonly meshes: readonly ObjectRef[];
  readonly mtlsConfig?: MtlsConfig;
  readonly federation?: Federation;
  /** Omitted means MESH_DEFAULT. */
  readonly globalAccessPolicy?: GlobalAccessPolicy;
}

/** A group of meshes. */
export interface VirtualMesh extends KubeObject<VirtualMeshSpec, PolicyStatus> {
  readonly apiVersion: typeof NETWORKING_API_VERSION;
  readonly kind: 'VirtualMesh';
}
