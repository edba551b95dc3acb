/** Objects that the product manages, and what of them is its doing. */
import type { KubeObject } from '@meshrelay/api';
import { canonicalJson, type NativeObject, OWNER_LABEL } from '@meshrelay/relay-core';
import { NAMESPACE } from '../fleet/objects.ts';

const TERM = 'meshrelay.dev/term';
const APPLIED = 'meshrelay.dev/applied';

/** Whether it carries our owner label. */
export function isManaged(object: KubeObject | undefined): object is KubeObject {
  return object?.metadata.labels?.[OWNER_LABEL] === NAMESPACE;
}

/** The term it was written in; undefined where nobody says. */
export function termOf(object: KubeObject | undefined): number | undefined {
  const term = object?.metadata.annotations?.[TERM];
  return term === undefined ? undefined : Number(term);
}

/** Of objects that are stored or wanted, which never change. */
const contents = new WeakMap<object, string>();

/** What it says, without what the API server and the agent add: equal texts are equal outputs. */
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
