/** The proxy and workload that an entry comes from. */

/** A workload as discovery names it. */
export interface WorkloadRef {
  readonly name: string;
  readonly namespace: string;
  /** The Kubernetes cluster. */
  readonly cluster: string;
}

/** Node information that a proxy reports. Any pod may report anything: shown to people, never used for decisions. */
export interface ReportedNode {
  /** Envoy's `node.id`, at most 256 characters. */
  readonly id: string;
  /** Envoy's `node.cluster`, at most 256 characters. */
  readonly cluster: string;
}

/** Sender of an entry, and how it is identified. */
export interface Reporter {
  /** The source address of its connection, without the port. */
  readonly address: string;
  /** The Kubernetes cluster of the sink. */
  readonly cluster: string;
  /** The workload with this address; absent if unknown. */
  readonly workload: WorkloadRef | undefined;
  /** Not verified. */
  readonly node: ReportedNode;
  /** Name of the log in Envoy's configuration. */
  readonly logName: string;
}

/** Maps addresses to workloads. The mapping may change while streams are open: it is queried for each message. */
export interface Attribution {
  /** Name of this cluster. */
  readonly cluster: string;
  /** The workload of the pod with this IP address; undefined if several pods share it (host network). */
  workloadAt(address: string): WorkloadRef | undefined;
  /**
   * The workload that runs under a SPIFFE id, if exactly one does. It identifies callers and upstreams in other
   * clusters, whose addresses are not known here.
   */
  workloadOf?(principal: string): WorkloadRef | undefined;
}

/**
 * IP address of a peer with its port, as grpc-js (`::1:41234`) and entries (`[::1]:41234`) write it. Converts an
 * IPv4-mapped IPv6 address to IPv4.
 */
export function hostOf(peer: string): string {
  const colon = peer.lastIndexOf(':');
  const whole = colon < 0 ? peer : peer.slice(0, colon);
  // Most IPv6 addresses need no conversion.
  if (!whole.includes(':')) return whole;
  const host = whole.replace(/^\[(.*)\]$/, '$1');
  return /^::ffff:\d+\.\d+\.\d+\.\d+$/i.test(host) ? host.slice(7) : host;
}
