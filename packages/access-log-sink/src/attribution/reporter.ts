/** Whose proxy an entry comes from. */

/** A workload as discovery names it. */
export interface WorkloadRef {
  readonly name: string;
  readonly namespace: string;
  /** The Kubernetes cluster. */
  readonly cluster: string;
}

/** What a proxy says of itself. Any pod may say anything: shown to people, never decided by. */
export interface ReportedNode {
  /** Envoy's `node.id`, at most 256 characters. */
  readonly id: string;
  /** Envoy's `node.cluster`, at most 256 characters. */
  readonly cluster: string;
}

/** Who sent an entry, and how we know. */
export interface Reporter {
  /** The source address of its connection, without the port. */
  readonly address: string;
  /** The Kubernetes cluster of the sink. */
  readonly cluster: string;
  /** The workload that has this address; absent where none is known. */
  readonly workload: WorkloadRef | undefined;
  /** Not verified. */
  readonly node: ReportedNode;
  /** The name Envoy's configuration gives the log. */
  readonly logName: string;
}

/** Where workloads are. What it answers may change while streams are open: it is asked for each message. */
export interface Attribution {
  /** The name of this cluster. */
  readonly cluster: string;
  /** The workload of the pod with this IP address; of several (host network) none. */
  workloadAt(address: string): WorkloadRef | undefined;
  /** The workload that runs under a SPIFFE id, where exactly one does. It tells callers and upstreams in other clusters, whose addresses say nothing here. */
  workloadOf?(principal: string): WorkloadRef | undefined;
}

/** The IP address of a peer with its port, as grpc-js (`::1:41234`) and entries (`[::1]:41234`) write it; an IPv4 address that is wrapped in IPv6 is unwrapped. */
export function hostOf(peer: string): string {
  const colon = peer.lastIndexOf(':');
  const whole = colon < 0 ? peer : peer.slice(0, colon);
  // Of IPv6 nothing is left to undo in most addresses there are.
  if (!whole.includes(':')) return whole;
  const host = whole.replace(/^\[(.*)\]$/, '$1');
  return /^::ffff:\d+\.\d+\.\d+\.\d+$/i.test(host) ? host.slice(7) : host;
}
