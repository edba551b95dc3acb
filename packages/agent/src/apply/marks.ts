/** What the agent adds to an object it writes: the term it wrote it in, and of which output. */
import type { KubeObject } from '@meshrelay/api';
import { TERM_ANNOTATION } from '@meshrelay/relay-core';

/** The hash of the output that was applied: a field that an output no longer has is told by it. */
export const APPLIED_ANNOTATION = 'meshrelay.dev/applied';

/** The term an object was written in last; 0 where it does not say, or nothing that could be one. */
export function termOf({ metadata }: Pick<KubeObject, 'metadata'>): number {
  const text = metadata.annotations?.[TERM_ANNOTATION] ?? '';
  return /^\d{1,15}$/.test(text) ? Number(text) : 0;
}

/** The object as it is applied. */
export function marked(object: KubeObject, hash: string, term: number): KubeObject {
  const annotations = {
    ...object.metadata.annotations,
    [APPLIED_ANNOTATION]: hash,
    [TERM_ANNOTATION]: String(term),
  };
  return { ...object, metadata: { ...object.metadata, annotations } };
}
