/** Options of all online commands. */

/** The connection to the management cluster, and the server's namespace in it. */
export interface ManagementOptions {
  readonly mgmtKubeconfig?: string;
  readonly mgmtContext?: string;
  readonly namespace: string;
  /** Timeout of one request to a server, in milliseconds. */
  readonly requestTimeout: number;
}
