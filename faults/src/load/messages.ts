/** Messages between the load's director and its hosts of simulated agents. */

/** One simulated agent. */
export interface AgentPlan {
  readonly cluster: string;
  /** `host:port` of its server. */
  readonly address: string;
  /** PEM. */
  readonly certificate: string;
}

/** To a host. */
export type Order =
  | {
      readonly order: 'connect';
      readonly agents: readonly AgentPlan[];
      /** PEM of the relay's root. */
      readonly roots: string;
      /** PEM: one key for all, since the certificates distinguish them. */
      readonly key: string;
      /** Objects that each agent sends. */
      readonly objects: number;
    }
  /** Change objects at this rate, over all agents of the host. */
  | { readonly order: 'churn'; readonly perSecond: number; readonly seconds: number };

/** From a host. */
export type Report =
  /** Every agent is connected, and everything it sends is acknowledged. */
  | { readonly report: 'settled'; readonly milliseconds: number }
  | {
      readonly report: 'churned';
      /** Number of changes made. */
      readonly deltas: number;
      /** Milliseconds from a change to its acknowledgement. */
      readonly answers: { readonly p50: number; readonly p99: number; readonly max: number };
      /** The revision of every object: by cluster, in the order of its objects. */
      readonly revisions: Readonly<Record<string, readonly number[]>>;
    };
