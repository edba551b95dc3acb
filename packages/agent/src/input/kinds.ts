/** The kinds the agent reads beside those that discovery watches. */
import { clusterPolicyKinds, definitionOf, type KindName } from '@meshrelay/api';
import type { ResourceKind } from '@meshrelay/relay-core';

/** One of our kinds as a resource of an API server. */
export function resourceOf(kind: KindName): ResourceKind {
  const { group, version, plural, scope } = definitionOf(kind);
  return { group, version, kind, plural, namespaced: scope === 'Namespaced' };
}

export const SECRET: ResourceKind = { group: '', version: 'v1', kind: 'Secret', plural: 'secrets', namespaced: true };

/** Policies of ours that may live in a workload cluster. */
export const POLICY_KINDS: readonly ResourceKind[] = clusterPolicyKinds.map(resourceOf);

/** What discovery finds. */
export const DISCOVERED_KINDS: readonly ResourceKind[] = (['Mesh', 'Workload', 'Destination'] as const).map(resourceOf);
