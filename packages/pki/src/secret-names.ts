/** Names of the Secrets that agents and servers find each other by; their data is PEM and tokens. */

/** `ca.crt`: the roots that vouch for the server. In every cluster; where the server made it also `tls.key` and `tls.crt`. */
export const ROOT_SECRET = 'relay-root-tls-secret';
/** `token`, in a workload cluster: what buys the first certificate. */
export const TOKEN_SECRET = 'relay-identity-token-secret';
/** `tls.key`, `tls.crt`, `ca.crt`: the agent's identity. While one is asked for: `tls.key` and `tls.csr`. */
export const CLIENT_SECRET = 'relay-client-tls-secret';
/** `tls.key`, `tls.crt`, `ca.crt`: what the server presents. */
export const SERVER_SECRET = 'relay-server-tls-secret';
/** `tls.key`, `tls.crt`, `ca.crt`: what signs agents' certificates; while the root is rotated also `previous.crt`. */
export const SIGNING_SECRET = 'relay-tls-signing-secret';
