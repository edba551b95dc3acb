// spec.federation of a VirtualMesh
import type * as z from 'zod/mini';
import { list } from '../../schema/collection.ts';
import type { SpecField } from '../../schema/field.ts';
import { filledIn } from '../../schema/filled-in.ts';
import { object } from '../../schema/object.ts';
import { dnsName, flag, oneOf } from '../../schema/scalar.ts';
import { type ObjectRef, objectRef } from '../../shared/ref.ts';
import {
  type DestinationSelector,
  destinationSelector,
  type IngressGatewaySelector,
  ingressGatewaySelector,
} from '../../shared/selector.ts';
import { type TcpKeepalive, tcpKeepalive } from '../../shared/tcp-keepalive.ts';

/** SELECTED: as in `selectors`. ALL: every destination to every member. NONE: no destination. Default: SELECTED. */
export type FederationMode = 'SELECTED' | 'ALL' | 'NONE';

/** Which destinations are federated to which meshes. */
export interface FederationSelector {
  /** Omitted or empty: every destination of every member. */
  readonly destinationSelectors?: readonly DestinationSelector[];
  /** Mesh objects in the namespace of the server; omitted or empty: to every other member. */
  readonly meshes?: readonly ObjectRef[];
}

/** How destinations are federated across members. Default: all that its fields mean where they are omitted. */
export interface Federation {
  readonly mode?: FederationMode;
  /** Read only in mode SELECTED; omitted or empty: nothing is federated. */
  readonly selectors?: readonly FederationSelector[];
  /** Requests go to the pods directly, not through gateways. Default: false. */
  readonly flatNetwork?: boolean;
  /** Last part of federated host names. Default: `global`. */
  readonly hostnameSuffix?: string;
  /** Selects the gateways that accept traffic from other clusters; omitted or empty: the mesh's own choice. */
  readonly eastWestIngressGatewaySelectors?: readonly IngressGatewaySelector[];
  /** For connections to other clusters; an omitted field keeps the operating system's value. */
  readonly tcpKeepalive?: TcpKeepalive;
}

/** Last part of federated host names. */
export const DEFAULT_HOSTNAME_SUFFIX = 'global';

const federationSelector: z.ZodMiniType<FederationSelector> = object<FederationSelector>('FederationSelector', {
  required: {},
  optional: { destinationSelectors: list(destinationSelector), meshes: list(objectRef) },
});

const books: DestinationSelector = {
  kubeServiceRefs: { services: [{ name: 'books', namespace: 'shop', clusterName: 'cluster-1' }] },
};
const shop: DestinationSelector = {
  kubeServiceMatcher: {
    labels: { app: 'books' },
    namespaces: ['shop'],
    clusters: ['cluster-1'],
    expressions: [{ key: 'tier', operator: 'In', values: ['backend'] }],
  },
};

const defaults = { mode: 'SELECTED', flatNetwork: false, hostnameSuffix: DEFAULT_HOSTNAME_SUFFIX } as const;

export const federation: SpecField<Federation> = {
  schema: object<Federation>('Federation', {
    required: {},
    optional: {
      mode: filledIn(oneOf('SELECTED', 'ALL', 'NONE'), defaults.mode),
      selectors: list(federationSelector),
      flatNetwork: filledIn(flag, defaults.flatNetwork),
      hostnameSuffix: filledIn(dnsName, defaults.hostnameSuffix),
      eastWestIngressGatewaySelectors: list(ingressGatewaySelector),
      tcpKeepalive,
    },
  }),
  defaults,
  examples: [
    {
      mode: 'SELECTED',
      selectors: [
        {
          destinationSelectors: [books, shop],
          meshes: [{ name: 'istiod-istio-system-cluster-2', namespace: 'meshrelay' }],
        },
      ],
      flatNetwork: false,
      hostnameSuffix: 'global',
      eastWestIngressGatewaySelectors: [{ destinationSelectors: [books, shop], portName: 'tls' }],
      tcpKeepalive: { probes: 3, time: '1m', interval: '10s' },
    },
    { mode: 'ALL' },
  ],
};
