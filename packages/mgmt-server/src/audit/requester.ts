/** Who requested the current content of an object in the management cluster. */
import type { KubeObject } from '@meshrelay/api';
import { CHANGED_BY_ANNOTATION, REQUEST_ANNOTATION } from '@meshrelay/relay-core';

export interface Requester {
  readonly by: string;
  readonly requestId?: string;
}

interface ManagedFields {
  readonly manager?: string;
  readonly time?: string;
  readonly subresource?: string;
}

/**
 * The last requester: the annotation that meshctl wrote, or else the field manager that wrote last. The annotation is
 * not verified: a client that can write it can change the object, and the API server's own audit log is the authority.
 */
export function requesterOf(object: KubeObject | undefined): Requester {
  const { annotations = {}, managedFields = [] } = (object?.metadata ?? {}) as {
    readonly annotations?: Readonly<Record<string, string>>;
    readonly managedFields?: readonly ManagedFields[];
  };
  const { [CHANGED_BY_ANNOTATION]: noted, [REQUEST_ANNOTATION]: requestId } = annotations;
  if (noted !== undefined) return { by: noted, ...(requestId === undefined ? {} : { requestId }) };
  const [last] = managedFields
    .filter(({ subresource }) => subresource === undefined)
    .toSorted((a, b) => ((a.time ?? '') < (b.time ?? '') ? 1 : -1));
  return {
    by: last?.manager === undefined ? 'unknown; see the audit log of the API server' : `field manager ${last.manager}`,
  };
}

/** The object without requester annotations: for annotations of a change before the last one. */
export function withoutNotes(object: KubeObject | undefined): KubeObject | undefined {
  if (object === undefined) return undefined;
  const { [CHANGED_BY_ANNOTATION]: _by, [REQUEST_ANNOTATION]: _id, ...annotations } = object.metadata.annotations ?? {};
  return { ...object, metadata: { ...object.metadata, annotations } };
}
