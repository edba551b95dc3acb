/** What a replica says of a cluster whose agent is, or was last, connected to it. */
import type { InputVector, ObjectRejection } from '@meshrelay/relay-protocol';
import type { ClusterRecord } from '../status/cluster-record.ts';

/** One replica's word on one cluster. */
export interface ClusterAnnouncement {
  readonly record: ClusterRecord;
  /** Address and port the agent comes from. */
  readonly address?: string;
  /** The first of what its agent refused. */
  readonly refused: readonly ObjectRejection[];
  /** Policies of which its agent has yet to take something; undefined where there are too many to name, or nothing is known yet. */
  readonly waiting?: readonly string[];
}

/** What a replica says of itself: how far the inputs that its words are about have come. */
export interface ReplicaAnnouncement {
  /** Name and version of its program; undefined for a release that does not tell it. */
  readonly program?: string;
  /** By component: term and number, or null for one that is gone. */
  readonly vector: Readonly<Record<string, readonly [term: number, seq: number] | null>>;
  /** What the objects of the management cluster's kinds come to, by component: versions of a kind that nobody edits are as old as whoever first listed it. */
  readonly digests?: Readonly<Record<string, string>>;
}

/** The inputs that a replica's words are about. */
export interface KnownInputs {
  readonly vector: InputVector;
  readonly digests: ReadonlyMap<string, string>;
}

/** Refusals and policies that are named: a word is small, whatever happens. */
export const MAX_REJECTIONS = 100;
export const MAX_WAITING = 500;

/** Undefined for what another release may have said otherwise. */
export function readClusterAnnouncement(body: string): ClusterAnnouncement | undefined {
  const word = parse(body) as Partial<ClusterAnnouncement> | undefined;
  const { record, refused } = word ?? {};
  if (typeof record?.replica !== 'string' || typeof record.term !== 'number') return undefined;
  const whole = Array.isArray(refused) && Array.isArray(record.outputs?.behind) && record.inputs !== undefined;
  return whole ? (word as ClusterAnnouncement) : undefined;
}

/** Undefined for what another release may have said otherwise. */
export function readReplicaAnnouncement(body: string): ReplicaAnnouncement | undefined {
  const word = parse(body) as Partial<ReplicaAnnouncement> | undefined;
  return typeof word?.vector === 'object' && word.vector !== null ? (word as ReplicaAnnouncement) : undefined;
}

function parse(body: string): unknown {
  try {
    const value: unknown = JSON.parse(body);
    return value ?? undefined;
  } catch {
    return undefined; // of another release: as good as nothing said
  }
}
