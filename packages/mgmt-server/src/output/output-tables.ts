/** What Pull streams send, by cluster. `ClusterOutputs` alone writes it; statuses of policies compare with it. */
import type { DesiredOutputs, ObjectKey } from '@meshrelay/relay-protocol';

export class OutputTables {
  readonly byCluster: Map<string, DesiredOutputs> = new Map();
  /** Whether safe mode has ended since the start: before, nothing is sent. */
  begun = false;

  /** Hash of an object in its present desired form; undefined if it is not sent. */
  hashOf(cluster: string, object: ObjectKey): string | undefined {
    return this.byCluster.get(cluster)?.table.get(object)?.hash;
  }
}
