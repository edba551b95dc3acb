/** Annotations that the agent adds to an object: the term of the write, and the hash of the output. */
import type { KubeObject } from '@meshrelay/api';
import { TERM_ANNOTATION } from '@meshrelay/relay-core';

/** Hash of the applied output. It reveals when an output has lost a field. */
export const APPLIED_ANNOTATION = 'meshrelay.dev/applied';

/** Term of the last write of an object; 0 if the annotation is missing or invalid. */
export function termOf({ metadata }: Pick<KubeObject, 'metadata'>): number {
  const text = metadata.annotations?.[TERM_ANNOTATION] ?? '';
  return /^\d{1,15}$/.test(text) ? Number(text) : 0;
}

/** The object as the agent applies it. */
export function marked(object: KubeObject, hash: string, term: number): KubeObject {
  const annotations = {
    ...object.metadata.annotations,
    [APPLIED_ANNOTATION]: hash,
    [TERM_ANNOTATION]: String(term),
  };
  return { ...object, metadata: { ...object.metadata, annotations } };
}
