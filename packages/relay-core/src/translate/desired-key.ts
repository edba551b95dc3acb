/** The key of a desired object. */
import { type Key, key, type ResourceKind } from '@meshrelay/plugin';

/** The key of an object among those of all clusters. */
export function desiredKey(
  cluster: string,
  kind: Pick<ResourceKind, 'group' | 'kind'>,
  namespace: string,
  name: string,
): Key {
  return key(cluster, kind.group, kind.kind, namespace, name);
}
