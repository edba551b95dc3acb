/** A kind of Kubernetes object, with the fields that discovery and apply need to address it. */
import { type Key, key } from '../graph/key.ts';

export interface ResourceKind {
  /** API group; '' for the core group. */
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  /** The plural in URLs, such as `virtualservices`. */
  readonly plural: string;
  readonly namespaced: boolean;
}

/** The key of a kind: group and kind, since only one version of each is read. */
export function kindKey(kind: Pick<ResourceKind, 'group' | 'kind'>): Key {
  return key(kind.group, kind.kind);
}
