/** Namespaces as agents send them. */
import type { KubeObject } from '@meshrelay/api';
import { NAMESPACE } from '@meshrelay/plugin';

/** The part of a namespace that agents send to the server: its labels, without fields that change without meaning. */
export function namespaceObject({ metadata: { name, labels } }: Pick<KubeObject, 'metadata'>): KubeObject {
  return {
    apiVersion: 'v1',
    kind: NAMESPACE.kind,
    metadata: { name, ...(labels === undefined ? {} : { labels }) },
    spec: {},
  };
}
