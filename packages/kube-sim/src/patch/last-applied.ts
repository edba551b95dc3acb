/** kubectl's migration from client-side to server-side apply: the annotation with its last applied configuration. */
import type { KubeObject, SchemaNode } from '../object.ts';
import { compareFields } from './compare-fields.ts';
import { difference, type FieldSet, NO_FIELDS } from './field-set.ts';
import { ownedFields } from './owned-fields.ts';
import { asJson } from './track-fields.ts';

const ANNOTATION = 'kubectl.kubernetes.io/last-applied-configuration';

/** The manager whose applies use the annotation. */
export const KUBECTL = 'kubectl';

/** The fields that kubectl applied client-side and that still have its values: taking them over is not a conflict. */
export function lastAppliedFields(schema: SchemaNode, live: KubeObject): FieldSet {
  const text = live.metadata.annotations?.[ANNOTATION];
  if (!text) return NO_FIELDS;
  const last = parse(text);
  if (last === undefined || last.apiVersion !== live.apiVersion) return NO_FIELDS;
  const { added, modified, removed } = compareFields(schema, asJson(last), asJson(live));
  return [modified, added, removed].reduce(difference, ownedFields(schema, asJson(last)));
}

/** The object with its annotation, if any, updated to the applied object. */
export function withLastApplied(object: KubeObject, applied: KubeObject): KubeObject {
  const annotations = object.metadata.annotations;
  if (!annotations?.[ANNOTATION]) return object;
  const { [ANNOTATION]: _, ...others } = applied.metadata.annotations ?? {};
  const { annotations: __, ...metadata } = applied.metadata;
  const retained = Object.keys(others).length === 0 ? metadata : { ...metadata, annotations: others };
  const text = `${JSON.stringify({ ...applied, metadata: retained })}\n`;
  return { ...object, metadata: { ...object.metadata, annotations: { ...annotations, [ANNOTATION]: text } } };
}

function parse(text: string): KubeObject | undefined {
  try {
    return JSON.parse(text) as KubeObject;
  } catch {
    return undefined; // text that is not JSON was not written by kubectl: every conflict counts
  }
}
