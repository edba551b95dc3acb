/** Paths of objects on an API server. */
import type { ResourceKind } from '@meshrelay/relay-core';

/** Names one object within its kind. */
export interface ObjectKey {
  /** Absent for cluster-scoped kinds. */
  readonly namespace?: string | undefined;
  readonly name: string;
}

/** `/apis/<group>/<version>`, or `/api/<version>` for the core group. */
export function groupPath({ group, version }: Pick<ResourceKind, 'group' | 'version'>): string {
  return group === '' ? `/api/${version}` : `/apis/${encodeURIComponent(group)}/${encodeURIComponent(version)}`;
}

/** All objects of a kind, or those of one namespace. */
export function collectionPath(kind: ResourceKind, namespace?: string): string {
  const inside = kind.namespaced && namespace !== undefined ? `/namespaces/${encodeURIComponent(namespace)}` : '';
  return `${groupPath(kind)}${inside}/${encodeURIComponent(kind.plural)}`;
}

/**
 * One object, or a subresource such as `status`.
 * @throws TypeError when the kind is namespaced and the key has no namespace, or a name would escape its path segment
 */
export function objectPath(kind: ResourceKind, { namespace, name }: ObjectKey, subresource?: string): string {
  if (kind.namespaced && !namespace) throw new TypeError(`${kind.kind} ${name}: a namespace is needed; give one`);
  for (const part of [namespace ?? 'none', name]) {
    if (part === '' || part === '.' || part === '..') throw new TypeError(`${kind.kind} "${part}": not a name`);
  }
  const path = `${collectionPath(kind, namespace)}/${encodeURIComponent(name)}`;
  return subresource === undefined ? path : `${path}/${subresource}`;
}

/** Name of an object in messages: `VirtualService bookinfo/reviews`. */
export function describe(kind: ResourceKind, { namespace, name }: ObjectKey): string {
  return namespace === undefined ? `${kind.kind} ${name}` : `${kind.kind} ${namespace}/${name}`;
}
