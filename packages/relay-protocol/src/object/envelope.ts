/** An object on the wire: its key, the hash of its canonical bytes, and those bytes. */

/** A kind and its version. `group` is '' for Kubernetes' core group. */
export interface ObjectKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

/** Key of an object. `namespace` is '' for cluster-scoped objects. */
export interface ObjectKey extends ObjectKind {
  readonly namespace: string;
  readonly name: string;
}

/** An object on the wire. Frozen data: share it between clusters and streams, never change it. */
export interface ObjectEnvelope extends ObjectKey {
  /** First 128 bits of the SHA-256 of the body, as 32 lower-case hexadecimal digits. */
  readonly hash: string;
  /** Canonical JSON, UTF-8. Empty where only name and hash are sent, as for Secrets. */
  readonly body: Uint8Array;
}

/** Hash of the empty body. */
const NO_BYTES = 'e3b0c44298fc1c149afbf4c8996fb924';

/** An output that keeps the cluster's present object unchanged. */
export function keepEnvelope({ group, version, kind, namespace, name }: ObjectKey): ObjectEnvelope {
  return { group, version, kind, namespace, name, hash: NO_BYTES, body: new Uint8Array() };
}

/** Whether an output only keeps the cluster's present object. */
export function isRetained({ hash, body }: ObjectEnvelope): boolean {
  return hash === NO_BYTES && body.byteLength === 0;
}

/** `group/version/kind`: a kind as the key of a Map. Injective, since no part holds a slash. */
export function kindId({ group, version, kind }: ObjectKind): string {
  return `${group}/${version}/${kind}`;
}

/** `namespace/name`: the Map key of an object among those of its kind. */
export function entryId({ namespace, name }: { readonly namespace: string; readonly name: string }): string {
  return `${namespace}/${name}`;
}

/** `group/version/kind/namespace/name`: the Map key of an object among all. */
export function objectId(key: ObjectKey): string {
  return `${kindId(key)}/${entryId(key)}`;
}

/** The namespace and name of an {@link entryId}. */
export function entryOf(id: string): { readonly namespace: string; readonly name: string } {
  const slash = id.indexOf('/');
  return { namespace: id.slice(0, slash), name: id.slice(slash + 1) };
}
