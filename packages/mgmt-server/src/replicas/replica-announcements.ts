/**
 * Announces the agents connected here to the other replicas, and ingests their announcements: so each replica knows the
 * whole fleet.
 */
import { clearTimeout, setTimeout } from 'node:timers';
import { GONE, type InputVersion } from '@meshrelay/relay-protocol';
import type { SnapshotStore } from '@meshrelay/store';
import { PROGRAM } from '../program.ts';
import type { Connections } from '../relay/connections.ts';
import { type ClusterRecord, foldRecords } from '../status/cluster-record.ts';
import {
  type ClusterAnnouncement,
  type KnownInputs,
  MAX_REJECTIONS,
  MAX_WAITING,
  type ReplicaAnnouncement,
  readClusterAnnouncement,
  readReplicaAnnouncement,
} from './cluster-announcement.ts';
import { OWN_TOPIC } from './replica-programs.ts';

export interface ReplicaAnnouncementsOptions {
  readonly store: Pick<SnapshotStore, 'broadcast' | 'peerAnnouncements' | 'stats'>;
  readonly connections: Connections;
  /** State of a cluster's agent at this replica. */
  readonly recordOf: (cluster: string) => ClusterRecord | undefined;
  /** The inputs that the present desired state was computed from. */
  readonly inputs: () => KnownInputs;
  /**
   * Policies with outputs that a cluster's agent has not accepted yet; undefined until it has accepted everything once.
   */
  readonly waiting: (cluster: string) => readonly string[] | undefined;
  /** State of a cluster's agent at another replica, relative to outputs computed from these inputs. */
  readonly onPeerChange: (cluster: string, inputs: KnownInputs, waiting: readonly string[]) => void;
}

/** Milliseconds in which changes are batched before an announcement. */
const GATHER = 300;

export class ReplicaAnnouncements implements Disposable {
  readonly #options: ReplicaAnnouncementsOptions;
  readonly #changed = new Set<string>();
  #timer: NodeJS.Timeout | undefined;
  #ended = false;
  #reported: KnownInputs | undefined;

  constructor(options: ReplicaAnnouncementsOptions) {
    this.#options = options;
    // Only a shared store connects several replicas.
    if (options.store.stats().replication === undefined) this.#ended = true;
    this.peerAnnouncements(undefined);
    this.moved();
  }

  /** The announced state of a cluster's agent may have changed. */
  changed(cluster: string): void {
    this.#changed.add(cluster);
    this.moved();
  }

  /** The inputs may have changed. */
  moved(): void {
    if (this.#ended || this.#timer !== undefined) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#broadcast();
      this.#verify();
    }, GATHER).unref();
  }

  /** Other replicas changed their announcements on these topics, or on any: reads them. */
  peerAnnouncements(topics: readonly string[] | undefined): void {
    const { store, connections } = this.#options;
    const words = store.peerAnnouncements();
    // A replica that restarted under the same name has no agents from before.
    const speakers = [...words.keys()].map(withoutUnique);
    const clusters = new Map<string, ClusterAnnouncement[]>();
    for (const announcements of words.values()) {
      for (const [topic, body] of announcements) {
        const word = topic === OWN_TOPIC ? undefined : readClusterAnnouncement(body);
        if (word !== undefined) clusters.set(topic, [...(clusters.get(topic) ?? []), word]);
      }
    }
    // A replica's announcement of itself applies to all its clusters.
    const looked = topics === undefined || topics.includes(OWN_TOPIC) ? undefined : new Set(topics);
    for (const cluster of new Set([...clusters.keys(), ...connections.onPeer])) {
      if (looked !== undefined && !looked.has(cluster)) continue;
      connections.onPeerAnnouncement(cluster, foldWords(clusters.get(cluster) ?? []), speakers);
    }
    this.#verify();
  }

  /** Checks again the agents at other replicas: the desired state may have changed since their announcements. */
  #verify(): void {
    const { store, connections, onPeerChange } = this.#options;
    for (const announcements of store.peerAnnouncements().values()) {
      const own = readReplicaAnnouncement(announcements.get(OWN_TOPIC) ?? '');
      if (own === undefined) continue;
      const inputs = inputsOf(own);
      for (const [cluster, body] of announcements) {
        const word = cluster === OWN_TOPIC ? undefined : readClusterAnnouncement(body);
        if (word?.waiting === undefined || !word.record.connected || connections.isHere(cluster)) continue;
        onPeerChange(cluster, inputs, word.waiting);
      }
    }
  }

  /** Sends pending announcements, and none after them. */
  [Symbol.dispose](): void {
    clearTimeout(this.#timer);
    if (!this.#ended) this.#broadcast();
    this.#ended = true;
  }

  /** Clusters are announced before inputs: so no agent with pending outputs ever seems up to date. */
  #broadcast(): void {
    const { store, inputs } = this.#options;
    for (const cluster of this.#changed) store.broadcast(cluster, this.#wordOn(cluster));
    this.#changed.clear();
    const current = inputs();
    if (!isSame(current, this.#reported)) store.broadcast(OWN_TOPIC, JSON.stringify(wordOf(current)));
    this.#reported = current;
  }

  #wordOn(cluster: string): string | undefined {
    const { connections, recordOf, waiting } = this.#options;
    const [record, here] = [recordOf(cluster), connections.here(cluster)];
    if (record === undefined || here === undefined) return undefined;
    const policies = waiting(cluster);
    const word: ClusterAnnouncement = {
      record,
      ...(here.address === undefined ? {} : { address: here.address }),
      refused: [...here.refused.values()].slice(0, MAX_REJECTIONS),
      ...(policies === undefined || policies.length > MAX_WAITING ? {} : { waiting: policies }),
    };
    return JSON.stringify(word);
  }
}

/** Name of the replica in the identity of one of its processes: see `uniqueIdentity`. */
function withoutUnique(identity: string): string {
  return identity.replace(/_[^_]*$/, '');
}

/** The announcement whose record counts. */
function foldWords(words: readonly ClusterAnnouncement[]): ClusterAnnouncement | undefined {
  const best = foldRecords(words.map(({ record }) => record));
  const word = words.find(({ record }) => record.replica === best?.replica && record.term === best.term);
  return word === undefined || best === undefined ? undefined : { ...word, record: best };
}

/** An unchanged vector is the same object. */
function isSame(one: KnownInputs, other: KnownInputs | undefined): boolean {
  if (one.vector !== other?.vector || one.digests.size !== other.digests.size) return false;
  return [...one.digests].every(([name, digest]) => other.digests.get(name) === digest);
}

function wordOf({ vector, digests }: KnownInputs): ReplicaAnnouncement {
  const parts = [...vector].map(([name, at]): [string, readonly [number, number] | null] => [
    name,
    at === GONE ? null : [at.term, at.seq],
  ]);
  return { program: PROGRAM, vector: Object.fromEntries(parts), digests: Object.fromEntries(digests) };
}

function inputsOf({ vector, digests = {} }: ReplicaAnnouncement): KnownInputs {
  const parts = Object.entries(vector).map(([name, at]): [string, InputVersion | typeof GONE] => [
    name,
    at === null ? GONE : { term: at[0], seq: at[1] },
  ]);
  return { vector: new Map(parts), digests: new Map(Object.entries(digests)) };
}
