/** What the load's director and its hosts of simulated agents tell each other. */

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
      /** PEM: one for all, since the certificates tell them apart. */
      readonly key: string;
      /** Objects each agent tells of. */
      readonly objects: number;
    }
  /** Change objects at this rate, over all agents of the host. */
  | { readonly order: 'churn'; readonly perSecond: number; readonly seconds: number };

/** From a host. */
export type Report =
  /** Every agent is connected, and everything it tells of is answered. */
  | { readonly report: 'settled'; readonly milliseconds: number }
  | {
      readonly report: 'churned';
      /** Changes made. */
      readonly deltas: number;
      /** Milliseconds from a change to its answer. */
      readonly answers: { readonly p50: number; readonly p99: number; readonly max: number };
      /** The revision of every object: by cluster, in the order of its objects. */
      readonly revisions: Readonly<Record<string, readonly number[]>>;
    };
