/** Objects that Meshrelay manages, and the parts of them that Meshrelay writes. */
import type { KubeObject } from '@meshrelay/api';
import { canonicalJson, type NativeObject, OWNER_LABEL } from '@meshrelay/relay-core';
import { NAMESPACE } from '../fleet/objects.ts';

const TERM = 'meshrelay.dev/term';
const APPLIED = 'meshrelay.dev/applied';

/** Whether the object has Meshrelay's owner label. */
export function isManaged(object: KubeObject | undefined): object is KubeObject {
  return object?.metadata.labels?.[OWNER_LABEL] === NAMESPACE;
}

/** The term in which it was written; undefined if it names none. */
export function termOf(object: KubeObject | undefined): number | undefined {
  const term = object?.metadata.annotations?.[TERM];
  return term === undefined ? undefined : Number(term);
}

/** Cache for stored and desired objects, which are immutable. */
const contents = new WeakMap<object, string>();

/** Content of the object without the fields that API server and agent add: equal texts are equal outputs. */
export function contentOf(object: KubeObject | NativeObject): string {
  const known = contents.get(object) ?? writeContent(object);
  contents.set(object, known);
  return known;
}

function writeContent(object: KubeObject | NativeObject): string {
  const { name, namespace, labels = {}, annotations = {} } = object.metadata;
  const { [TERM]: _, [APPLIED]: __, ...others } = annotations;
  return canonicalJson({ ...object, status: undefined, metadata: { name, namespace, labels, annotations: others } });
}
