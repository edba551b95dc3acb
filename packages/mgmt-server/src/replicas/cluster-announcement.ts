/** Announcement by a replica of a cluster whose agent is, or was last, connected to it. */
import type { InputVector, ObjectRejection } from '@meshrelay/relay-protocol';
import type { ClusterRecord } from '../status/cluster-record.ts';

/** One replica's announcement of one cluster. */
export interface ClusterAnnouncement {
  readonly record: ClusterRecord;
  /** Remote address and port of the agent. */
  readonly address?: string;
  /** The first objects that the agent rejected. */
  readonly refused: readonly ObjectRejection[];
  /**
   * Policies with outputs that the agent has not accepted yet; undefined if there are too many to list, or nothing is
   * known yet.
   */
  readonly waiting?: readonly string[];
}

/** Announcement by a replica of itself: the versions of the inputs that its cluster announcements are based on. */
export interface ReplicaAnnouncement {
  /** Name and version of its program; undefined for a release that does not announce it. */
  readonly program?: string;
  /** By component: term and number, or null for one that is gone. */
  readonly vector: Readonly<Record<string, readonly [term: number, seq: number] | null>>;
  /**
   * Content digests of the management cluster's kinds, by component. The version of an unchanged kind depends on when
   * each replica first listed it.
   */
  readonly digests?: Readonly<Record<string, string>>;
}

/** The inputs that a replica's announcements are based on. */
export interface KnownInputs {
  readonly vector: InputVector;
  readonly digests: ReadonlyMap<string, string>;
}

/** Maximum number of listed rejections and policies, so that an announcement stays small. */
export const MAX_REJECTIONS = 100;
export const MAX_WAITING = 500;

/** Undefined if another release wrote it in another format. */
export function readClusterAnnouncement(body: string): ClusterAnnouncement | undefined {
  const word = parse(body) as Partial<ClusterAnnouncement> | undefined;
  const { record, refused } = word ?? {};
  if (typeof record?.replica !== 'string' || typeof record.term !== 'number') return undefined;
  const whole = Array.isArray(refused) && Array.isArray(record.outputs?.behind) && record.inputs !== undefined;
  return whole ? (word as ClusterAnnouncement) : undefined;
}

/** Undefined if another release wrote it in another format. */
export function readReplicaAnnouncement(body: string): ReplicaAnnouncement | undefined {
  const word = parse(body) as Partial<ReplicaAnnouncement> | undefined;
  return typeof word?.vector === 'object' && word.vector !== null ? (word as ReplicaAnnouncement) : undefined;
}

function parse(body: string): unknown {
  try {
    const value: unknown = JSON.parse(body);
    return value ?? undefined;
  } catch {
    return undefined; // written by another release: ignored
  }
}
