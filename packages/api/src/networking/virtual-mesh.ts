// VirtualMesh: meshes that trust each other and share services.
import type { z } from 'zod';
import type { NETWORKING_API_VERSION } from '../group.ts';
import type { KubeObject } from '../kube/object.ts';
import { list } from '../schema/collection.ts';
import { object } from '../schema/object.ts';
import { atMostOneOf, withRules } from '../schema/rule.ts';
import { dnsName, flag, oneOf } from '../schema/scalar.ts';
import { type ObjectRef, objectRef } from '../shared/ref.ts';
import {
  type DestinationSelector,
  destinationSelector,
  type IngressGatewaySelector,
  ingressGatewaySelector,
} from '../shared/selector.ts';
import type { PolicyStatus } from '../shared/status.ts';
import { type TcpKeepalive, tcpKeepalive } from '../shared/tcp-keepalive.ts';
import { type CertificateOptions, certificateOptions } from './certificate-options.ts';

/** Where the shared root comes from; at most one, none means `generated`. */
export interface RootCertificateAuthority {
  /** The server generates the root; `{}` for the defaults. */
  readonly generated?: CertificateOptions;
  /** A Secret of the management cluster holds the root; it must be in the namespace of the server. */
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

/** How members establish trust; at most one of `shared` and `limited`; without either, trust stays unchanged. */
export interface MtlsConfig {
  readonly shared?: SharedTrust;
  readonly limited?: LimitedTrust;
  /**
   * Restart pods with certificates of a former root. Not implemented: the user restarts them, and `true` is reported.
   */
  readonly autoRestartPods?: boolean;
  /** Every member accepts mutual TLS only. */
  readonly strict?: boolean;
}

/** SELECTED: as in `selectors`. ALL: every destination to every member. NONE: no destination. */
export type FederationMode = 'SELECTED' | 'ALL' | 'NONE';

/** Which destinations are federated to which meshes. */
export interface FederationSelector {
  /** Omitted or empty: every destination of every member. */
  readonly destinationSelectors?: readonly DestinationSelector[];
  /** Mesh objects in the namespace of the server; omitted or empty: to every other member. */
  readonly meshes?: readonly ObjectRef[];
}

/** How destinations are federated across members. */
export interface Federation {
  /** Omitted means SELECTED. */
  readonly mode?: FederationMode;
  /** Read only in mode SELECTED; omitted or empty: nothing is federated. */
  readonly selectors?: readonly FederationSelector[];
  /** Requests go to the pods directly, not through gateways. */
  readonly flatNetwork?: boolean;
  /** Last part of federated host names. Default: `global`. */
  readonly hostnameSuffix?: string;
  readonly eastWestIngressGatewaySelectors?: readonly IngressGatewaySelector[];
  /** For connections to other clusters. */
  readonly tcpKeepalive?: TcpKeepalive;
}

/**
 * ENABLED: requests that no AccessPolicy allows are denied. DISABLED: they are allowed. MESH_DEFAULT: the mesh decides.
 */
export type GlobalAccessPolicy = 'MESH_DEFAULT' | 'ENABLED' | 'DISABLED';

/** Members, trust, federation and access of the group. */
export interface VirtualMeshSpec {
  /** The members, Mesh objects in the namespace of the server; a mesh belongs to at most one virtual mesh. */
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

const rootCertificateAuthority: z.ZodType<RootCertificateAuthority> = object<RootCertificateAuthority>(
  'RootCertificateAuthority',
  { required: {}, optional: { generated: certificateOptions, secret: objectRef } },
  [atMostOneOf<RootCertificateAuthority>('generated', 'secret')],
);

const sharedTrust: z.ZodType<SharedTrust> = object<SharedTrust>('SharedTrust', {
  required: {},
  optional: { rootCertificateAuthority, intermediateCertOptions: certificateOptions },
});

const limitedTrust: z.ZodType<LimitedTrust> = object<LimitedTrust>('LimitedTrust', { required: {}, optional: {} });

const mtlsConfig: z.ZodType<MtlsConfig> = object<MtlsConfig>(
  'MtlsConfig',
  { required: {}, optional: { shared: sharedTrust, limited: limitedTrust, autoRestartPods: flag, strict: flag } },
  [atMostOneOf<MtlsConfig>('shared', 'limited')],
);

const federationSelector: z.ZodType<FederationSelector> = object<FederationSelector>('FederationSelector', {
  required: {},
  optional: { destinationSelectors: list(destinationSelector), meshes: list(objectRef) },
});

const federation: z.ZodType<Federation> = object<Federation>('Federation', {
  required: {},
  optional: {
    mode: oneOf('SELECTED', 'ALL', 'NONE'),
    selectors: list(federationSelector),
    flatNetwork: flag,
    hostnameSuffix: dnsName,
    eastWestIngressGatewaySelectors: list(ingressGatewaySelector),
    tcpKeepalive,
  },
});

const members: z.ZodType<readonly ObjectRef[]> = withRules(list(objectRef, { minimum: 1 }), [
  {
    message: 'must name each mesh once',
    holds: (meshes) => new Set(meshes.map(({ name, namespace }) => `${namespace}/${name}`)).size === meshes.length,
  },
]);

/** Schema of {@link VirtualMeshSpec}. */
export const virtualMeshSpec: z.ZodType<VirtualMeshSpec> = object<VirtualMeshSpec>('VirtualMeshSpec', {
  required: { meshes: members },
  optional: { mtlsConfig, federation, globalAccessPolicy: oneOf('MESH_DEFAULT', 'ENABLED', 'DISABLED') },
});
