/** A kind of Kubernetes object, as much of it as discovery and apply need to name it. */
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

/** `group/version`, or `version` alone for the core group: what objects carry as apiVersion. */
export function apiVersionOf(kind: Pick<ResourceKind, 'group' | 'version'>): string {
  return kind.group === '' ? kind.version : `${kind.group}/${kind.version}`;
}

/** The group of an apiVersion; '' for the core group. */
export function groupOf(apiVersion: string): string {
  const slash = apiVersion.indexOf('/');
  return slash < 0 ? '' : apiVersion.slice(0, slash);
}

/** The key of a kind: group and kind, since one version of each is read. */
export function kindKey(kind: Pick<ResourceKind, 'group' | 'kind'>): Key {
  return key(kind.group, kind.kind);
}
