/** Error codes of the relay. */

/**
 * - `RELAY_E_PROTOCOL`: the bytes are not a message of the protocol, or the message is not allowed now.
 * - `RELAY_E_UNAUTHENTICATED`: no client certificate that chains to a relay root, or a token that is not valid.
 * - `RELAY_E_CLUSTER_NOT_DECLARED`: a registration names a cluster without a KubernetesCluster; the same request may be
 *   accepted later.
 * - `RELAY_E_IDENTITY_MISMATCH`: the certificate is valid, but not for the requested or claimed cluster.
 * - `RELAY_E_ALREADY_REGISTERED`: the cluster has a valid certificate; only an operator can permit another.
 * - `RELAY_E_FENCED`: the server has seen a newer term of the same cluster; this agent no longer leads.
 * - `RELAY_E_SUPERSEDED`: another stream of the same cluster replaced this one.
 * - `RELAY_E_RESOURCE_EXHAUSTED`: the peer sent more than its limit.
 * - `RELAY_E_TIMEOUT`: nothing arrived within the timeout.
 * - `RELAY_E_DRAINING`: the server is shutting down; another replica answers.
 * - `RELAY_E_UNAVAILABLE`: the connection broke or could not be opened.
 * - `RELAY_E_UNIMPLEMENTED`: this server does not offer the method.
 * - `RELAY_E_INTERNAL`: an internal error of this end.
 */
export type RelayErrorCode =
  | 'RELAY_E_PROTOCOL'
  | 'RELAY_E_UNAUTHENTICATED'
  | 'RELAY_E_CLUSTER_NOT_DECLARED'
  | 'RELAY_E_IDENTITY_MISMATCH'
  | 'RELAY_E_ALREADY_REGISTERED'
  | 'RELAY_E_FENCED'
  | 'RELAY_E_SUPERSEDED'
  | 'RELAY_E_RESOURCE_EXHAUSTED'
  | 'RELAY_E_TIMEOUT'
  | 'RELAY_E_DRAINING'
  | 'RELAY_E_UNAVAILABLE'
  | 'RELAY_E_UNIMPLEMENTED'
  | 'RELAY_E_INTERNAL';
