/** What runs the pods of a cluster: kubelets, or processes without one. */
import type { Client } from '@meshrelay/testing/api-server';
import type { Programs } from './control-plane.ts';

export interface ClusterNodes {
  /** Variables of the cluster's programs. */
  readonly env: Readonly<Record<string, string>>;
  /** The name of a script next to init.sh, which prepares what only this kind of nodes needs; empty for nothing. */
  readonly setup: string;
  /** Their programs that do not need the API server. */
  readonly early: Programs;
  /** Writes `node.sh`, which starts their other programs once the API server is ready. */
  writeFiles(): void;
  /**
   * Begins when the API server is ready.
   * @param pid the process that has the cluster's network
   */
  start(client: Client, pid: number): Promise<AsyncDisposable>;
  /** Makes images available to pods with `imagePullPolicy: IfNotPresent`. */
  importImages(archives: readonly string[]): Promise<void>;
}
