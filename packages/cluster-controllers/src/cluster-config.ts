/** Configuration of a managed cluster. */
import type { ElectionConfig } from '@meshrelay/host';

export interface ClusterConfig {
  /** The agent's own namespace: its Lease, its Secrets, its OutputLedger. */
  readonly namespace: string;
  /** The management namespace, which is the value of the owner label of outputs. */
  readonly managementNamespace: string;
  readonly relay: {
    /** Name under which this cluster is registered. */
    readonly cluster: string;
  };
  readonly leaderElection: ElectionConfig;
}
