/** Program version of each replica. */
import type { SnapshotStore } from '@meshrelay/store';
import { PROGRAM } from '../program.ts';
import { readReplicaAnnouncement } from './cluster-announcement.ts';

/** Name and version of the program of one replica. */
export interface ReplicaProgram {
  readonly replica: string;
  /** Undefined for a release that does not announce it. */
  readonly program: string | undefined;
}

/** This replica first, then the other live ones, by name. */
export function replicaPrograms(
  replica: string,
  { peerAnnouncements: heard }: { peerAnnouncements: SnapshotStore['peerAnnouncements'] },
): ReplicaProgram[] {
  const others = [...heard()].map(([name, announcements]) => ({
    replica: name,
    program: readReplicaAnnouncement(announcements.get(OWN_TOPIC) ?? '')?.program,
  }));
  return [{ replica, program: PROGRAM }, ...others.sort((a, b) => (a.replica < b.replica ? -1 : 1))];
}

/** Topic of a replica's announcement of itself. */
export const OWN_TOPIC = '';
