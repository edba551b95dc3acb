/** State of a cluster's agent at one replica, as a plain record, and the merge of several replicas' records. */
import type { HeldDeletions } from '@meshrelay/api';
import {
  agreedCapabilities,
  CAPABILITIES,
  compareVersions,
  type InputVersion,
  type ObjectRejection,
  refusedObjectAction,
} from '@meshrelay/relay-protocol';
import type { DeletionGuard } from '../output/deletion-guard.ts';
import type { Connections } from '../relay/connections.ts';
import type { Fleet } from '../store/fleet.ts';
import { heldDeletions } from './held-deletions.ts';

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

export interface RecordSources {
  readonly connections: Connections;
  readonly fleet: Pick<Fleet, 'progress' | 'quarantine'>;
  readonly guard: Pick<DeletionGuard, 'heldIn'>;
  readonly replica: string;
}

const NAMED = 3;

/** This replica's record; undefined for a cluster whose agent never connected here. */
export function recordOf(
  cluster: string,
  { connections, fleet, guard, replica }: RecordSources,
): ClusterRecord | undefined {
  const connection = connections.here(cluster);
  if (connection === undefined) return undefined;
  const { push, pull, hello, certificateExpiry, openedAt, leftAt, lag, refused, behind } = connection;
  if (hello === undefined) return undefined;
  const progress = fleet.progress.get(cluster);
  const quarantine = fleet.quarantine(cluster);
  const connected = push && pull;
  const held = guard.heldIn(cluster);
  const missing = [...quarantine.rejections].slice(0, NAMED).map(namedRejection);
  return {
    cluster,
    replica,
    connected,
    term: hello.term,
    ...(connected && openedAt !== undefined ? { connectedAt: openedAt.toISOString() } : {}),
    ...(!connected && leftAt !== undefined ? { lastConnectedTime: leftAt.toISOString() } : {}),
    program: hello.program,
    capabilities: agreedCapabilities(CAPABILITIES, hello.capabilities),
    ...(certificateExpiry === undefined ? {} : { certificateExpiry: certificateExpiry.toISOString() }),
    inputs: {
      ...(progress === undefined ? {} : { version: progress.version }),
      complete: progress?.complete ?? false,
      lag: connected ? lag.inputs : 0,
      missing,
      missingCount: quarantine.size,
    },
    outputs: { lag: connected ? lag.outputs : 0, refused: refused.size, behind },
    ...(held === undefined ? {} : { heldDeletions: heldDeletions(held) }),
  };
}

function namedRejection({ key: { kind, namespace, name }, code }: ObjectRejection): string {
  const next = refusedObjectAction(code);
  const object = namespace === '' ? name : `${namespace}/${name}`;
  return `${kind} ${object} (${next === undefined ? code : `${code}: ${next}`})`;
}

/** The record that counts among all replicas; undefined for a cluster whose agent never connected to any. */
export function countingRecord(cluster: string, sources: RecordSources): ClusterRecord | undefined {
  const records = [recordOf(cluster, sources), sources.connections.announcementOfPeer(cluster)?.record];
  return foldRecords(records.filter((one) => one !== undefined));
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
