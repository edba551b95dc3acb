/** State of a cluster's agent at one replica, as a plain record, and the merge of several replicas' records. */
import type { HeldDeletions } from '@meshrelay/api';
import { compareVersions, type InputVersion } from '@meshrelay/relay-protocol';

/** One replica's view of one cluster's agent. Plain JSON. */
export interface ClusterRecord {
  readonly cluster: string;
  readonly replica: string;
  /** Whether both its streams are open here. */
  readonly connected: boolean;
  /** Term of the agent's newest stream here. */
  readonly term: number;
  /** RFC 3339: when the open streams were opened. */
  readonly connectedAt?: string;
  /** RFC 3339: when the last stream of a disconnected agent ended. */
  readonly lastConnectedTime?: string;
  /** Name and version of the agent. */
  readonly program: string;
  /** Capabilities that both ends support. */
  readonly capabilities: readonly string[];
  readonly certificateExpiry?: string;
  /** Mesh plugins whose discovery failed in the cluster, each with the reason. */
  readonly failedPlugins?: readonly string[];
  readonly inputs: {
    /** The newest acknowledged inputs. */
    readonly version?: InputVersion;
    /** Whether everything that the agent sends is synced. */
    readonly complete: boolean;
    /** Milliseconds since the oldest change that the agent could not send yet. */
    readonly lag: number;
    /** The first objects that cannot be transferred, each with the code of its rejection and the action to take. */
    readonly missing: readonly string[];
    readonly missingCount: number;
  };
  readonly outputs: {
    /** Milliseconds since the oldest change of an output that the agent has not acknowledged. */
    readonly lag: number;
    /** Objects that the agent rejected or failed to apply. */
    readonly refused: number;
    /** Inputs of which the agent has seen a newer state than the replica. */
    readonly behind: readonly string[];
  };
  /**
   * Held deletions at the replica. Replicas may process the same changes in different steps, and so hold different
   * deletions; the replica that the agent is connected to counts.
   */
  readonly heldDeletions?: HeldDeletions;
}

/**
 * The record that counts. If replicas claim the agent, the one with its newest term and stream wins, since the newest
 * connection wins. If none does, the replica that it was connected to last wins. The acknowledged inputs are the newest
 * of any replica.
 */
export function foldRecords(records: Iterable<ClusterRecord>): ClusterRecord | undefined {
  let best: ClusterRecord | undefined;
  let version: InputVersion | undefined;
  for (const record of records) {
    const known = record.inputs.version;
    if (known !== undefined && (version === undefined || compareVersions(known, version) > 0)) version = known;
    if (best === undefined || isLater(record, best)) best = record;
  }
  if (best === undefined || version === undefined) return best;
  return { ...best, inputs: { ...best.inputs, version } };
}

function isLater(one: ClusterRecord, other: ClusterRecord): boolean {
  if (one.connected !== other.connected) return one.connected;
  if (one.term !== other.term) return one.term > other.term;
  const time = ({ connectedAt, lastConnectedTime }: ClusterRecord): string => connectedAt ?? lastConnectedTime ?? '';
  if (time(one) !== time(other)) return time(one) > time(other);
  return one.replica < other.replica;
}
