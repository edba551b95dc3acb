// Selectors of destinations, workloads and identities. In every list of selectors an empty item matches everything.
import type * as z from 'zod/mini';
import { DEFAULT_GATEWAY_PORT_NAME } from '../defaults.ts';
import { labelKey, labels, list } from '../schema/collection.ts';
import { filledIn } from '../schema/filled-in.ts';
import { object } from '../schema/object.ts';
import { name, oneOf, text, textLike } from '../schema/scalar.ts';
import { type ClusterObjectRef, clusterObjectRef } from './ref.ts';

/** Selects by labels, namespaces and clusters; all given fields must match, an omitted or empty one always matches. */
export interface KubeMatcher {
  /** Every label must be present with exactly this value; omitted or empty: any labels. */
  readonly labels?: Readonly<Record<string, string>>;
  /** Names of namespaces; its namespace must be one of them. Omitted or empty: any. */
  readonly namespaces?: readonly string[];
  /** Names of registered clusters; its cluster must be one of them. Omitted or empty: any. */
  readonly clusters?: readonly string[];
}

/** Operator of a label expression. */
export type LabelOperator = 'In' | 'NotIn' | 'Exists' | 'DoesNotExist';

/** A label expression, as in Kubernetes' own label selectors. */
export interface LabelExpression {
  /** The label's name. */
  readonly key: string;
  /** `NotIn` also selects objects without the label. */
  readonly operator: LabelOperator;
  /** For `In` and `NotIn`, at least one; for the others omitted or empty. */
  readonly values?: readonly string[];
}

/**
 * Selects Services by labels, expressions, namespaces and clusters; all given fields must match, an omitted or empty
 * one always matches.
 */
export interface KubeServiceMatcher extends KubeMatcher {
  /** All must match; omitted or empty: any labels. */
  readonly expressions?: readonly LabelExpression[];
}

/** Lists Services by name; a policy with an unknown one waits for it as PENDING. Omitted: none. */
export interface KubeServiceRefs {
  readonly services: readonly ClusterObjectRef[];
}

/** Selects Destinations: those the matcher selects and those listed; `{}` selects all. */
export interface DestinationSelector {
  readonly kubeServiceMatcher?: KubeServiceMatcher;
  readonly kubeServiceRefs?: KubeServiceRefs;
}

/** Selects Workloads by their pods' labels; `{}` selects all. */
export interface WorkloadSelector {
  readonly kubeWorkloadMatcher?: KubeMatcher;
}

/** Selects identities by location; all given fields must match, an omitted or empty one always matches. */
export interface KubeIdentityMatcher {
  /** Names of namespaces; its namespace must be one of them. Omitted or empty: any. */
  readonly namespaces?: readonly string[];
  /**
   * Names of registered clusters; omitted or empty: any. Identities contain no cluster, only the trust domain of their
   * mesh: if meshes share one, the status reports which other identities match.
   */
  readonly clusters?: readonly string[];
  /**
   * Trust domains, the first part of identities; omitted or empty: any. The policy is PENDING if the destination's mesh
   * accepts none of that name.
   */
  readonly trustDomains?: readonly string[];
}

/** A ServiceAccount; an omitted or empty field matches any. */
export interface ServiceAccountRef {
  /** The account's name; omitted or empty: any. */
  readonly name?: string;
  /** The account's namespace; omitted or empty: any. */
  readonly namespace?: string;
  /** Name of the KubernetesCluster the account lives in; omitted or empty: any. */
  readonly clusterName?: string;
}

/** Lists ServiceAccounts by name; omitted: none. */
export interface KubeServiceAccountRefs {
  readonly serviceAccounts: readonly ServiceAccountRef[];
}

/** Selects the identities of requests; `{}` selects every authenticated one of the virtual mesh. */
export interface IdentitySelector {
  readonly kubeIdentityMatcher?: KubeIdentityMatcher;
  readonly kubeServiceAccountRefs?: KubeServiceAccountRefs;
}

/** Selects the gateways that accept traffic from other clusters. */
export interface IngressGatewaySelector {
  /** The gateways' Services; omitted means the mesh's own choice. */
  readonly destinationSelectors?: readonly DestinationSelector[];
  /** Name of the Service port that accepts mutual TLS. Default: `tls`. */
  readonly portName?: string;
}

const kubeMatcher: z.ZodMiniType<KubeMatcher> = object<KubeMatcher>('KubeMatcher', {
  required: {},
  optional: { labels, namespaces: list(name), clusters: list(name) },
});

const labelExpression: z.ZodMiniType<LabelExpression> = object<LabelExpression>(
  'LabelExpression',
  {
    required: { key: labelKey, operator: oneOf('In', 'NotIn', 'Exists', 'DoesNotExist') },
    optional: { values: list(text, { maximum: 100 }) },
  },
  [
    {
      field: 'values',
      message: 'must have at least one value with In and NotIn, and none with Exists and DoesNotExist',
      // Selectors are in lists of lists, where CEL would exceed the cost limit of an API server.
      holds: ({ operator, values = [] }) => (operator === 'In' || operator === 'NotIn') === values.length > 0,
    },
  ],
);

const kubeServiceMatcher: z.ZodMiniType<KubeServiceMatcher> = object<KubeServiceMatcher>('KubeServiceMatcher', {
  required: {},
  optional: {
    labels,
    namespaces: list(name),
    clusters: list(name),
    expressions: list(labelExpression, { maximum: 20 }),
  },
});

const kubeServiceRefs: z.ZodMiniType<KubeServiceRefs> = object<KubeServiceRefs>('KubeServiceRefs', {
  required: { services: list(clusterObjectRef, { minimum: 1 }) },
  optional: {},
});

/** Schema of {@link DestinationSelector}. */
export const destinationSelector: z.ZodMiniType<DestinationSelector> = object<DestinationSelector>(
  'DestinationSelector',
  {
    required: {},
    optional: { kubeServiceMatcher, kubeServiceRefs },
  },
);

/** Schema of {@link WorkloadSelector}. */
export const workloadSelector: z.ZodMiniType<WorkloadSelector> = object<WorkloadSelector>('WorkloadSelector', {
  required: {},
  optional: { kubeWorkloadMatcher: kubeMatcher },
});

/**
 * Meshes treat a star in an identity as a wildcard, or literally; therefore allowed and denied identities need full
 * names.
 */
const EXACT = 'the exact name, without * or /; omit it for any';
const identityName = textLike({ expected: EXACT, pattern: /^[^*/]+$/, maxLength: 253 });
const identityNameOrAny = textLike({ expected: EXACT, pattern: /^[^*/]*$/, maxLength: 253 });

const kubeIdentityMatcher: z.ZodMiniType<KubeIdentityMatcher> = object<KubeIdentityMatcher>('KubeIdentityMatcher', {
  required: {},
  optional: { namespaces: list(identityName), clusters: list(name), trustDomains: list(identityName) },
});

const serviceAccountRef: z.ZodMiniType<ServiceAccountRef> = object<ServiceAccountRef>('ServiceAccountRef', {
  required: {},
  optional: { name: identityNameOrAny, namespace: identityNameOrAny, clusterName: text },
});

const kubeServiceAccountRefs: z.ZodMiniType<KubeServiceAccountRefs> = object<KubeServiceAccountRefs>(
  'KubeServiceAccountRefs',
  { required: { serviceAccounts: list(serviceAccountRef, { minimum: 1 }) }, optional: {} },
);

/** Schema of {@link IdentitySelector}. */
export const identitySelector: z.ZodMiniType<IdentitySelector> = object<IdentitySelector>('IdentitySelector', {
  required: {},
  optional: { kubeIdentityMatcher, kubeServiceAccountRefs },
});

/** Schema of {@link IngressGatewaySelector}. */
export const ingressGatewaySelector: z.ZodMiniType<IngressGatewaySelector> = object<IngressGatewaySelector>(
  'IngressGatewaySelector',
  {
    required: {},
    optional: { destinationSelectors: list(destinationSelector), portName: filledIn(name, DEFAULT_GATEWAY_PORT_NAME) },
  },
);
