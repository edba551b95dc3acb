/** Names of objects that programs of ours write in clusters: rights are kept to them. */
import { WORKLOAD_CA_SECRET } from '../plugin/workload-ca.ts';

/** Whoever holds it takes part for the cluster. */
export const MEMBER_LEASE = 'meshrelay-agent';

/** The server's replica that holds it writes to the management cluster. */
export const SERVER_LEASE = 'meshrelay-mgmt-server';

/** One for each replica of the server, which takes the first that no other holds. Their names are fixed, so that rights are kept to them. */
export const REPLICA_LEASES: readonly string[] = Array.from(
  { length: 16 },
  (_, index) => `${SERVER_LEASE}-replica-${index}`,
);

/** On the Lease of a replica: name and version of its program. */
export const PROGRAM_ANNOTATION = 'meshrelay.dev/program';

/** On the Lease of a replica: what is wrong with it; absent where nothing is. */
export const PROBLEMS_ANNOTATION = 'meshrelay.dev/problems';

/** Where istiod reads its CA from, in its own namespace. */
export const CONTROL_PLANE_SECRET = 'cacerts';

/** The Secrets that meshes read their CAs from: no other is ever written for a mesh. */
export const MESH_SECRETS: readonly string[] = [CONTROL_PLANE_SECRET, WORKLOAD_CA_SECRET];

/** `ca.crt`: the roots that vouch for the server. In every cluster; where the server made it also `tls.key` and `tls.crt`. */
export const ROOT_SECRET = 'relay-root-tls-secret';

/** `token`, in a workload cluster: what buys the first certificate. */
export const TOKEN_SECRET = 'relay-identity-token-secret';

/** `tls.key`, `tls.crt`, `ca.crt`: the agent's identity. While one is requested: `tls.key` and `tls.csr`. */
export const CLIENT_SECRET = 'relay-client-tls-secret';

/** The CA that vouches for the agent towards the Envoys of its cluster. */
export const DATA_PLANE_CA_SECRET = 'data-plane-ca-secret';

/** What replicas of an agent know each other by. */
export const AGENT_PEERS_SECRET = 'meshrelay-agent-peers';

/** Secrets of an agent's own namespace, whichever names its configuration gives besides. */
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

/** The ConfigMap with the roots that vouch for the agent, in each namespace that has Envoys which agents configure. */
export const ROOTS_CONFIG_MAP = 'meshrelay-agent-roots';

/** Namespaces of a cluster's own machinery: nothing is ever written there. */
export const CLUSTER_NAMESPACES: readonly string[] = ['kube-system', 'kube-public', 'kube-node-lease'];
