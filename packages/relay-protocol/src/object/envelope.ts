/** An object on its way: who it is, the hash of its canonical bytes, and those bytes. */

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

/** An object as it travels. Frozen data: share it between clusters and streams, never change it. */
export interface ObjectEnvelope extends ObjectKey {
  /** First 128 bits of the SHA-256 of the body, as 32 lower-case hexadecimal digits. */
  readonly hash: string;
  /** Canonical JSON, UTF-8. Empty where only name and hash are told, as for Secrets. */
  readonly body: Uint8Array;
}

/** Of no bytes at all. */
const NO_BYTES = 'e3b0c44298fc1c149afbf4c8996fb924';

/** An output of which only this is said: whatever the cluster has of it stays as it is. */
export function keepEnvelope({ group, version, kind, namespace, name }: ObjectKey): ObjectEnvelope {
  return { group, version, kind, namespace, name, hash: NO_BYTES, body: new Uint8Array() };
}

/** Whether an output says only that what there is of it stays. */
export function isRetained({ hash, body }: ObjectEnvelope): boolean {
  return hash === NO_BYTES && body.byteLength === 0;
}

/** `group/version/kind`: a kind as the key of a Map. Injective, since none of the parts holds a slash. */
export function kindId({ group, version, kind }: ObjectKind): string {
  return `${group}/${version}/${kind}`;
}

/** `namespace/name`: an object among those of its kind, as the key of a Map. */
export function entryId({ namespace, name }: { readonly namespace: string; readonly name: string }): string {
  return `${namespace}/${name}`;
}

/** `group/version/kind/namespace/name`: an object among all, as the key of a Map. */
export function objectId(key: ObjectKey): string {
  return `${kindId(key)}/${entryId(key)}`;
}

/** The namespace and name that an {@link entryId} was made of. */
export function entryOf(id: string): { readonly namespace: string; readonly name: string } {
  const slash = id.indexOf('/');
  return { namespace: id.slice(0, slash), name: id.slice(slash + 1) };
}
