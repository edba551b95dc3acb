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

/** Secrets of an agent's own namespace, whichever names its configuration gives besides: of its identity, of the port for proxies, and of its replicas. */
export const AGENT_SECRETS: readonly string[] = [
  'relay-root-tls-secret',
  'relay-identity-token-secret',
  'relay-client-tls-secret',
  'data-plane-ca-secret',
  'meshrelay-agent-peers',
];

/** The ConfigMap with the roots that vouch for the agent, in each namespace that has Envoys which agents configure. */
export const ROOTS_CONFIG_MAP = 'meshrelay-agent-roots';

/** Namespaces of a cluster's own machinery: nothing is ever written there. */
export const CLUSTER_NAMESPACES: readonly string[] = ['kube-system', 'kube-public', 'kube-node-lease'];
