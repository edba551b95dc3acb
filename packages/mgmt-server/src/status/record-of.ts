/** The record of a cluster at this replica, from its connection, its inputs and its held deletions. */
import {
  agreedCapabilities,
  CAPABILITIES,
  type ObjectRejection,
  rejectedObjectAction,
} from '@meshrelay/relay-protocol';
import type { DeletionGuard } from '../output/deletion-guard.ts';
import type { Connections } from '../relay/connections.ts';
import type { Fleet } from '../store/fleet.ts';
import { type ClusterRecord, foldRecords } from './cluster-record.ts';
import { heldDeletions } from './held-deletions.ts';

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
    ...(hello.failedPlugins === undefined ? {} : { failedPlugins: hello.failedPlugins }),
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
  const next = rejectedObjectAction(code);
  const object = namespace === '' ? name : `${namespace}/${name}`;
  return `${kind} ${object} (${next === undefined ? code : `${code}: ${next}`})`;
}

/** The record that counts among all replicas; undefined for a cluster whose agent never connected to any. */
export function countingRecord(cluster: string, sources: RecordSources): ClusterRecord | undefined {
  const records = [recordOf(cluster, sources), sources.connections.announcementOfPeer(cluster)?.record];
  return foldRecords(records.filter((one) => one !== undefined));
}
