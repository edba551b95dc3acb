/** How a cluster's agent stands with one replica, as a plain record, and how the records of several replicas become one. */
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

/** What one replica knows of one cluster's agent. JSON as it stands. */
export interface ClusterRecord {
  readonly cluster: string;
  readonly replica: string;
  /** Whether both its streams are open here. */
  readonly connected: boolean;
  /** Of the agent's newest stream here. */
  readonly term: number;
  /** RFC 3339: when the streams that are open were opened. */
  readonly connectedAt?: string;
  /** RFC 3339: when the last stream ended, of an agent that is not connected. */
  readonly lastHeardAt?: string;
  /** Name and version of the agent. */
  readonly program: string;
  /** What both ends can do. */
  readonly capabilities: readonly string[];
  readonly certificateExpiry?: string;
  readonly inputs: {
    /** The newest inputs that were acknowledged. */
    readonly version?: InputVersion;
    /** Whether everything the agent tells of is known in full. */
    readonly complete: boolean;
    /** Milliseconds since the oldest change that the agent could not tell yet. */
    readonly lag: number;
    /** Objects that do not get here, the first few, each with the code of its refusal and what to do. */
    readonly missing: readonly string[];
    readonly missingCount: number;
  };
  readonly outputs: {
    /** Milliseconds since the oldest output the agent has not acknowledged changed. */
    readonly lag: number;
    /** Objects the agent refused or could not apply. */
    readonly refused: number;
    /** Inputs of which the agent has seen a newer state than the replica. */
    readonly behind: readonly string[];
  };
  /** What the replica holds of its deletions. Replicas may have met the same changes in other steps, and so may hold other things: of the one that it is connected to it counts. */
  readonly held?: HeldDeletions;
}

export interface RecordSources {
  readonly connections: Connections;
  readonly fleet: Pick<Fleet, 'progress' | 'quarantine'>;
  readonly guard: Pick<DeletionGuard, 'heldIn'>;
  readonly replica: string;
}

const NAMED = 3;

/** This replica's record; undefined of a cluster whose agent was never here. */
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
    ...(!connected && leftAt !== undefined ? { lastHeardAt: leftAt.toISOString() } : {}),
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
    ...(held === undefined ? {} : { held: heldDeletions(held) }),
  };
}

function namedRejection({ key: { kind, namespace, name }, code }: ObjectRejection): string {
  const next = refusedObjectAction(code);
  const object = namespace === '' ? name : `${namespace}/${name}`;
  return `${kind} ${object} (${next === undefined ? code : `${code}: ${next}`})`;
}

/** The record that counts of those of all replicas; undefined of a cluster whose agent nobody has heard of. */
export function countingRecord(cluster: string, sources: RecordSources): ClusterRecord | undefined {
  const records = [recordOf(cluster, sources), sources.connections.announcementOfPeer(cluster)?.record];
  return foldRecords(records.filter((one) => one !== undefined));
}

/**
 * The record that counts: of replicas the agent is connected to the one of its newest term and stream, since the newest connection wins; where it is connected to
 * none, the one that heard of it last. What inputs were acknowledged is the newest any replica knows.
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
  const time = ({ connectedAt, lastHeardAt }: ClusterRecord): string => connectedAt ?? lastHeardAt ?? '';
  if (time(one) !== time(other)) return time(one) > time(other);
  return one.replica < other.replica;
}
