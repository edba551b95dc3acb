/** A Meshrelay object from its short form. */
import { apiVersionOf, definitionOf, type KindName, type KubeObject } from '@meshrelay/api';
import { MANAGEMENT_NAMESPACE } from '@meshrelay/relay-core';

/** `TrafficPolicy: name`, a spec, and any other fields of the object; the default namespace is `meshrelay`. */
export type PolicySpec = Readonly<Record<string, unknown>>;

/**
 * The object.
 * @throws RangeError if the first field is not a Meshrelay kind
 */
export function policyObject({ namespace = MANAGEMENT_NAMESPACE, ...named }: PolicySpec): KubeObject {
  const [[kind, name] = ['', ''], ...more] = Object.entries(named);
  return {
    apiVersion: apiVersionOf(definitionOf(kind as KindName)),
    kind,
    metadata: { name: String(name), namespace: String(namespace) },
    ...Object.fromEntries(more),
  } as KubeObject;
}
