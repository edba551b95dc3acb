/** Names of the Secrets that agents and servers find each other by; their data is PEM and tokens. */

/** `ca.crt`: the roots that vouch for the server. In every cluster; where the server made it also `tls.key` and `tls.crt`. */
export const ROOT_SECRET = 'relay-root-tls-secret';
/** `token`, in a workload cluster: what buys the first certificate. */
export const TOKEN_SECRET = 'relay-identity-token-secret';
/** `tls.key`, `tls.crt`, `ca.crt`: the agent's identity. While one is asked for: `tls.key` and `tls.csr`. */
export const CLIENT_SECRET = 'relay-client-tls-secret';
/** The CA that vouches for the agent towards the Envoys of its cluster. */
export const DATA_PLANE_CA_SECRET = 'data-plane-ca-secret';
/** What replicas of an agent know each other by. */
export const AGENT_PEERS_SECRET = 'meshrelay-agent-peers';
/** All Secrets in an agent's namespace that it has for itself. */
export const AGENT_SECRETS: readonly string[] = [
  ROOT_SECRET,
  TOKEN_SECRET,
  CLIENT_SECRET,
  DATA_PLANE_CA_SECRET,
  AGENT_PEERS_SECRET,
];
/** `tls.key`, `tls.crt`, `ca.crt`: what the server presents. */
export const SERVER_SECRET = 'relay-server-tls-secret';
/** `tls.key`, `tls.crt`, `ca.crt`: what signs agents' certificates; while the root is rotated also `previous.crt`. */
export const SIGNING_SECRET = 'relay-tls-signing-secret';
