/** Names of objects that Meshrelay's programs write in clusters: permissions are limited to them. */
import { CONTROL_PLANE_SECRET, WORKLOAD_CA_SECRET } from '@meshrelay/plugin';

/** Its holder acts for the cluster. */
export const MEMBER_LEASE = 'meshrelay-agent';

/** The server replica that holds it writes to the management cluster. */
export const SERVER_LEASE = 'meshrelay-mgmt-server';

/**
 * One for each replica of the server, which acquires the first that no other replica holds. Their names are fixed, so
 * that permissions can be limited to them.
 */
export const REPLICA_LEASES: readonly string[] = Array.from(
  { length: 16 },
  (_, index) => `${SERVER_LEASE}-replica-${index}`,
);

/** On the Lease of a replica: name and version of its program. */
export const PROGRAM_ANNOTATION = 'meshrelay.dev/program';

/** On the Lease of a replica: its problems; absent if it has none. */
export const PROBLEMS_ANNOTATION = 'meshrelay.dev/problems';

/** The Secrets from which meshes read their CAs: no other Secret is ever written for a mesh. */
export const MESH_SECRETS: readonly string[] = [CONTROL_PLANE_SECRET, WORKLOAD_CA_SECRET];

/**
 * `ca.crt`: the roots of the server's certificate. In every cluster; if the server generated it also `tls.key` and
 * `tls.crt`.
 */
export const ROOT_SECRET = 'relay-root-tls-secret';

/** `token`, in a workload cluster: the registration token for the first certificate. */
export const TOKEN_SECRET = 'relay-identity-token-secret';

/** `tls.key`, `tls.crt`, `ca.crt`: the agent's identity. While one is requested: `tls.key` and `tls.csr`. */
export const CLIENT_SECRET = 'relay-client-tls-secret';

/** The CA that signs the agent's certificate for the Envoys of its cluster. */
export const DATA_PLANE_CA_SECRET = 'data-plane-ca-secret';

/** The Secret with the keys with which replicas of an agent authenticate each other. */
export const AGENT_PEERS_SECRET = 'meshrelay-agent-peers';

/** Secrets of an agent's own namespace, in addition to those that its configuration names. */
export const AGENT_SECRETS: readonly string[] = [
  ROOT_SECRET,
  TOKEN_SECRET,
  CLIENT_SECRET,
  DATA_PLANE_CA_SECRET,
  AGENT_PEERS_SECRET,
];

/** `tls.key`, `tls.crt`, `ca.crt`: the server's certificate. */
export const SERVER_SECRET = 'relay-server-tls-secret';

/** `tls.key`, `tls.crt`, `ca.crt`: signs agents' certificates; during a rotation of the root also `previous.crt`. */
export const SIGNING_SECRET = 'relay-tls-signing-secret';

/** The ConfigMap with the roots of the agent's certificate, in each namespace with Envoys that agents configure. */
export const ROOTS_CONFIG_MAP = 'meshrelay-agent-roots';

/** System namespaces of a cluster: Meshrelay never writes there. */
export const CLUSTER_NAMESPACES: readonly string[] = ['kube-system', 'kube-public', 'kube-node-lease'];
