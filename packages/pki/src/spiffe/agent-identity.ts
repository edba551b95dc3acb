/** The identity of a cluster's agent: `spiffe://<relay trust domain>/cluster/<name>/agent`, and nothing like it. */
import { malformed } from '../pki-error.ts';
import { formatSpiffeId, type SpiffeId, spiffeIdParts, type TrustDomain } from './spiffe-id.ts';

/** The cluster an agent speaks for, as its identity says. */
export interface AgentIdentity {
  readonly trustDomain: TrustDomain;
  readonly cluster: string;
}

/** A Kubernetes object name (RFC 1123 subdomain), which is what a KubernetesCluster is called. */
const CLUSTER_NAME = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;
const MAX_CLUSTER_NAME = 253;

/** Whether `name` can be a KubernetesCluster's name. */
export function isClusterName(name: string): boolean {
  return name.length <= MAX_CLUSTER_NAME && CLUSTER_NAME.test(name);
}

/**
 * The one identity the agent of `cluster` has.
 * @throws RELAY_E_PKI_MALFORMED when `cluster` is no Kubernetes object name
 */
export function agentIdentity(trustDomain: TrustDomain, cluster: string): SpiffeId {
  if (!isClusterName(cluster)) {
    throw malformed(
      'cluster name: expected a Kubernetes object name (lower case letters, digits, "-" and ".", at most 253)',
    );
  }
  return formatSpiffeId(trustDomain, 'cluster', cluster, 'agent');
}

/** Whose agent `id` names, or undefined when it is not exactly an agent's identity. */
export function readAgentIdentity(id: SpiffeId): AgentIdentity | undefined {
  const { trustDomain, path } = spiffeIdParts(id);
  const [, kind, cluster = '', role, ...more] = path.split('/');
  if (kind !== 'cluster' || role !== 'agent' || more.length > 0 || !isClusterName(cluster)) return undefined;
  return { trustDomain, cluster };
}
