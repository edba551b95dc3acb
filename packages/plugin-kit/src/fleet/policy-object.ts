/** An object of Meshrelay's own, out of a few words. */
import { apiVersionOf, definitionOf, type KindName, type KubeObject } from '@meshrelay/api';
import { MANAGEMENT_NAMESPACE } from '@meshrelay/relay-core';

/** `TrafficPolicy: name`, a spec, and whatever else the object has; the namespace is `meshrelay` where none is given. */
export type PolicySpec = Readonly<Record<string, unknown>>;

/** The object. @throws RangeError where the first field names no kind of Meshrelay */
export function policyObject({ namespace = MANAGEMENT_NAMESPACE, ...named }: PolicySpec): KubeObject {
  const [[kind, name] = ['', ''], ...more] = Object.entries(named);
  return {
    apiVersion: apiVersionOf(definitionOf(kind as KindName)),
    kind,
    metadata: { name: String(name), namespace: String(namespace) },
    ...Object.fromEntries(more),
  } as KubeObject;
}
