/** Destination selectors: which buckets they search, and what they match. */
import type { DestinationSelector, KubeServiceMatcher, LabelExpression } from '@meshrelay/api';
import { type Key, key } from '@meshrelay/plugin';
import { InternedKeys } from '../../graph/interned-keys.ts';
import { hasAll, type Labels } from '../../input/labels.ts';
import { clusterObjectKey } from '../../store/fleet-state.ts';
import type { KnownDestination } from './known-destination.ts';

const ALL = key('all');
const CLUSTERS = new InternedKeys('cluster');
const NAMESPACES = new InternedKeys('namespace');

/** The bucket of the destinations of a cluster; '' means all clusters. */
export function clusterBucket(cluster: string): Key {
  return cluster === '' ? ALL : CLUSTERS.of(cluster);
}

/** The bucket of the destinations of a cluster that some workspace owns; '' means all clusters. */
export function workspaceOwnedBucket(cluster: string): Key {
  return key('claimed', cluster);
}

/** The bucket of the destinations of a workspace. */
export function workspaceBucket(workspace: string): Key {
  return key('workspace', workspace);
}

/** The bucket of the destinations that a workspace imports. */
export function importedBucket(workspace: string): Key {
  return key('imported', workspace);
}

/**
 * The buckets of a destination: by cluster, namespace, each label, its workspace and the workspaces that import it, and
 * the one of all destinations.
 */
export function destinationBuckets(destination: KnownDestination): Key[] {
  const { cluster, namespace, labels, workspace, importedBy = [] } = destination;
  const buckets = [ALL, CLUSTERS.of(cluster), NAMESPACES.of(namespace)];
  for (const [label, value] of Object.entries(labels)) buckets.push(key('label', label, value));
  if (workspace !== undefined)
    buckets.push(workspaceOwnedBucket(''), workspaceOwnedBucket(cluster), workspaceBucket(workspace));
  for (const importer of importedBy) buckets.push(importedBucket(importer));
  return buckets;
}

/**
 * The buckets to search for a list of selectors: for each item the narrowest that contains every match. Named
 * destinations have their own buckets.
 */
export function selectorBuckets(selectors: readonly DestinationSelector[] | undefined): Key[] {
  if (selectors === undefined || selectors.length === 0) return [ALL];
  return selectors.flatMap((selector) => {
    const refs = namedBuckets([selector]);
    const matcher = selector.kubeServiceMatcher;
    if (matcher === undefined) return selector.kubeServiceRefs === undefined ? [ALL] : refs;
    return [...refs, ...matcherBuckets(matcher)];
  });
}

/** The buckets of named destinations. */
export function namedBuckets(selectors: readonly DestinationSelector[]): Key[] {
  return selectors.flatMap(({ kubeServiceRefs }) => (kubeServiceRefs?.services ?? []).map(clusterObjectKey));
}

function matcherBuckets({ labels = {}, expressions = [], namespaces = [], clusters = [] }: KubeServiceMatcher): Key[] {
  const [label] = Object.entries(labels).sort();
  if (label !== undefined) return [key('label', ...label)];
  const inExpression = expressions.find(({ operator }) => operator === 'In');
  if (inExpression !== undefined)
    return (inExpression.values ?? []).map((value) => key('label', inExpression.key, value));
  if (namespaces.length > 0) return namespaces.map((namespace) => NAMESPACES.of(namespace));
  if (clusters.length > 0) return clusters.map((cluster) => CLUSTERS.of(cluster));
  return [ALL];
}

/**
 * Whether any item of the list selects the destination. An omitted or empty list, and an empty item, select everything.
 */
export function selects(selectors: readonly DestinationSelector[] | undefined, destination: KnownDestination): boolean {
  return (
    selectsEverything(selectors) ||
    names(selectors, destination) ||
    (selectors ?? []).some(
      ({ kubeServiceMatcher }) => kubeServiceMatcher !== undefined && matcherSelects(kubeServiceMatcher, destination),
    )
  );
}

/** Whether the list selects every destination. */
export function selectsEverything(selectors: readonly DestinationSelector[] | undefined): boolean {
  if (selectors === undefined || selectors.length === 0) return true;
  return selectors.some(({ kubeServiceMatcher, kubeServiceRefs }) =>
    kubeServiceMatcher === undefined ? kubeServiceRefs === undefined : isEmptyMatcher(kubeServiceMatcher),
  );
}

function isEmptyMatcher({
  labels = {},
  expressions = [],
  namespaces = [],
  clusters = [],
}: KubeServiceMatcher): boolean {
  return (
    Object.keys(labels).length === 0 && expressions.length === 0 && namespaces.length === 0 && clusters.length === 0
  );
}

/** Whether `kubeServiceRefs` of an item name the destination. */
export function names(
  selectors: readonly DestinationSelector[] | undefined,
  { cluster, namespace, name }: Pick<KnownDestination, 'cluster' | 'namespace' | 'name'>,
): boolean {
  return (selectors ?? []).some(({ kubeServiceRefs }) =>
    (kubeServiceRefs?.services ?? []).some(
      (ref) => ref.name === name && ref.namespace === namespace && ref.clusterName === cluster,
    ),
  );
}

const NONE: readonly never[] = [];
const NO_LABELS: Labels = {};

/** Whether labels, namespace and cluster match; omitted parts of the matcher always match. */
export function matcherSelects(
  { labels = NO_LABELS, expressions = NONE, namespaces = NONE, clusters = NONE }: KubeServiceMatcher,
  subject: { readonly labels: Readonly<Record<string, string>>; readonly namespace: string; readonly cluster: string },
): boolean {
  return (
    (namespaces.length === 0 || namespaces.includes(subject.namespace)) &&
    (clusters.length === 0 || clusters.includes(subject.cluster)) &&
    hasAll(subject.labels, labels) &&
    expressions.every((expression) => expressionSelects(expression, subject.labels))
  );
}

function expressionSelects(
  { key: label, operator, values = [] }: LabelExpression,
  labels: Readonly<Record<string, string>>,
): boolean {
  const value = Object.hasOwn(labels, label) ? labels[label] : undefined;
  switch (operator) {
    case 'In':
      return value !== undefined && values.includes(value);
    case 'NotIn':
      return value === undefined || !values.includes(value);
    case 'Exists':
      return value !== undefined;
    case 'DoesNotExist':
      return value === undefined;
  }
}
