/** What is known of one cluster: its objects by kind, how far the agent had told them, and which kinds are known in full. */

/** How far a cluster's inputs had come: the term of the agent that told them and that term's sequence number. */
export interface SnapshotVersion {
  readonly term: number;
  readonly seq: number;
}

/** A kind of object in one version of it. `group` is '' for Kubernetes' core group. */
export interface ObjectKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

/** Which object. `namespace` is '' for cluster-scoped ones. */
export interface ObjectKey extends ObjectKind {
  readonly namespace: string;
  readonly name: string;
}

/** An object as it is stored: nothing here looks into its bytes. */
export interface StoredObject extends ObjectKey {
  /** Hash of the body: equal hashes are the same content. */
  readonly hash: string;
  /** Canonical bytes. Empty where only name and hash are told. */
  readonly body: Uint8Array;
}

/** One step in what is known of a cluster; what a relay's push stream hands over is one. */
export interface SnapshotDelta extends SnapshotVersion {
  readonly cluster: string;
  readonly kind: ObjectKind;
  readonly upserts: readonly StoredObject[];
  readonly deletes: readonly ObjectKey[];
  /** With this step every object of the kind is known. False takes nothing back that an earlier step said. */
  readonly synced: boolean;
  /** Whether each of the deletions was seen to happen, rather than found by a comparison; false when omitted. */
  readonly observed?: boolean;
  /** Whether what is known after this step is what the agent has, with nothing left to be compared; false when omitted. */
  readonly inStep?: boolean;
}

/** What is known of one kind in one cluster. */
export interface KindSnapshot {
  readonly kind: ObjectKind;
  /** Whether the agent that was heard last tells of this kind. What others told before is kept, and may be out of date. */
  readonly announced: boolean;
  /** Whether what is absent here is absent in the cluster. */
  readonly synced: boolean;
  /** XOR over the objects of the first 128 bits of SHA-256(`namespace/name` NUL hash), in hex: as the relay computes it. */
  readonly digest: string;
  readonly objects: readonly StoredObject[];
  /** Objects known to be there whose bytes were lost. While there are any, the kind is not known in full. */
  readonly missing: readonly ObjectKey[];
}

/** A cluster's snapshot at one version. It does not change afterwards; share it and never change it. */
export interface Snapshot {
  readonly cluster: string;
  readonly version: SnapshotVersion;
  /** Whether every announced kind, of which there is at least one, is known in full. */
  readonly complete: boolean;
  /**
   * The version of which all of it was: while an agent and a replica find out what differs, the version runs ahead of what is known. Undefined before
   * anything was compared.
   */
  readonly compared: SnapshotVersion | undefined;
  readonly kinds: readonly KindSnapshot[];
}

/** A snapshot without its objects, to compare two by. */
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

/** A snapshot is complete when kinds were announced at all and each of them is known in full. */
export function isComplete(kinds: readonly Pick<KindSnapshot, 'announced' | 'synced'>[]): boolean {
  const announced = kinds.filter((kind) => kind.announced);
  return announced.length > 0 && announced.every(({ synced }) => synced);
}
