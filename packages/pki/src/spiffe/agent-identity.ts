/** The identity of a cluster's agent, exactly `spiffe://<relay trust domain>/cluster/<name>/agent`. */
import { malformed } from '../pki-error.ts';
import { formatSpiffeId, type SpiffeId, spiffeIdParts, type TrustDomain } from './spiffe-id.ts';

/** The cluster of an agent, from its identity. */
export interface AgentIdentity {
  readonly trustDomain: TrustDomain;
  readonly cluster: string;
}

/** The name of a KubernetesCluster: a DNS label (RFC 1123), since it is part of the host names of federated Services. */
export const CLUSTER_NAME: RegExp = /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/;

/** {@link CLUSTER_NAME}, for messages. */
export const CLUSTER_NAME_SYNTAX = 'a DNS label: lower-case letters, digits and "-", at most 63 characters';

/** Whether `name` can be a KubernetesCluster's name. */
export function isClusterName(name: string): boolean {
  return CLUSTER_NAME.test(name);
}

/**
 * The identity of the agent of `cluster`.
 * @throws RELAY_E_PKI_MALFORMED when `cluster` is not a valid cluster name
 */
export function agentIdentity(trustDomain: TrustDomain, cluster: string): SpiffeId {
  if (!isClusterName(cluster)) throw malformed(`cluster name: expected ${CLUSTER_NAME_SYNTAX}`);
  return formatSpiffeId(trustDomain, 'cluster', cluster, 'agent');
}

/** The agent that `id` names, or undefined if it is not exactly an agent's identity. */
export function readAgentIdentity(id: SpiffeId): AgentIdentity | undefined {
  const { trustDomain, path } = spiffeIdParts(id);
  const [, kind, cluster = '', role, ...more] = path.split('/');
  if (kind !== 'cluster' || role !== 'agent' || more.length > 0 || !isClusterName(cluster)) return undefined;
  return { trustDomain, cluster };
}
