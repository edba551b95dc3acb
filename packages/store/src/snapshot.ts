/** Data of one cluster: its objects by kind, the version that the agent had sent, and which kinds are synced. */

/** Version of a cluster's inputs: the term of the agent that sent them and that term's sequence number. */
export interface SnapshotVersion {
  readonly term: number;
  readonly seq: number;
}

/** A kind of object in one API version. `group` is '' for Kubernetes' core group. */
export interface ObjectKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

/** Identifies an object. `namespace` is '' for cluster-scoped ones. */
export interface ObjectKey extends ObjectKind {
  readonly namespace: string;
  readonly name: string;
}

/** A stored object: the store does not parse its bytes. */
export interface StoredObject extends ObjectKey {
  /** Hash of the body: equal hashes mean equal content. */
  readonly hash: string;
  /** Canonical bytes. Empty for objects that are sent by name and hash only. */
  readonly body: Uint8Array;
}

/** One step in the data of a cluster, as a relay's push stream delivers it. */
export interface SnapshotDelta extends SnapshotVersion {
  readonly cluster: string;
  readonly kind: ObjectKind;
  readonly upserts: readonly StoredObject[];
  readonly deletes: readonly ObjectKey[];
  /** With this step the kind is synced. False does not revoke an earlier true. */
  readonly synced: boolean;
  /** Whether every deletion was observed, rather than found by a comparison; false when omitted. */
  readonly observed?: boolean;
  /** Whether the data after this step equals the agent's, with nothing left to compare; false when omitted. */
  readonly inStep?: boolean;
}

/** Data of one kind in one cluster. */
export interface KindSnapshot {
  readonly kind: ObjectKind;
  /** Whether the last agent sends this kind. Data from earlier agents is retained, and may be outdated. */
  readonly announced: boolean;
  /** Whether absence here means absence in the cluster. */
  readonly synced: boolean;
  /**
   * XOR over the objects of the first 128 bits of SHA-256(`namespace/name` NUL hash), in hex: as the relay computes it.
   */
  readonly digest: string;
  readonly objects: readonly StoredObject[];
  /** Existing objects whose bytes were lost. While there are any, the kind is not synced. */
  readonly missing: readonly ObjectKey[];
}

/** A cluster's snapshot at one version. Immutable; share it and never change it. */
export interface Snapshot {
  readonly cluster: string;
  readonly version: SnapshotVersion;
  /** Whether every announced kind, of which there is at least one, is synced. */
  readonly complete: boolean;
  /**
   * The version that all data belongs to: while an agent and a replica compare their state, `version` is ahead of the
   * data. Undefined before the first comparison.
   */
  readonly compared: SnapshotVersion | undefined;
  readonly kinds: readonly KindSnapshot[];
}

/** A snapshot without its objects, for comparisons. */
export interface SnapshotDigest {
  readonly cluster: string;
  readonly version: SnapshotVersion;
  readonly complete: boolean;
  readonly compared: SnapshotVersion | undefined;
  readonly kinds: readonly Pick<KindSnapshot, 'kind' | 'announced' | 'synced' | 'digest'>[];
}

/** Negative, zero or positive as `a` is older than, equal to or newer than `b`. */
export function compareVersions(a: SnapshotVersion, b: SnapshotVersion): number {
  return a.term - b.term || a.seq - b.seq;
}

/** `group/version/kind`: a kind as the key of a Map. Injective, since none of the parts holds a slash. */
export function kindId({ group, version, kind }: ObjectKind): string {
  return `${group}/${version}/${kind}`;
}

/** `namespace/name`: an object among those of its kind, as the key of a Map. */
export function entryId({ namespace, name }: { readonly namespace: string; readonly name: string }): string {
  return `${namespace}/${name}`;
}

/** A snapshot is complete if at least one kind is announced and every announced kind is synced. */
export function isComplete(kinds: readonly Pick<KindSnapshot, 'announced' | 'synced'>[]): boolean {
  const announced = kinds.filter((kind) => kind.announced);
  return announced.length > 0 && announced.every(({ synced }) => synced);
}
