/** `Status` bodies of failed requests and of plain deletes. */

import type { GroupResource } from '../errors/api-errors.ts';
import type { ApiError, JsonObject, KubeObject } from '../object.ts';

/** The body of a failed request. */
export function failureStatus(error: ApiError): JsonObject {
  return {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: error.continueToken === undefined ? {} : { continue: error.continueToken },
    status: 'Failure',
    message: error.message,
    ...(error.reason === '' ? {} : { reason: error.reason }),
    ...(error.details === undefined ? {} : { details: error.details as JsonObject }),
    code: error.code,
  };
}

/** The body of a delete that removed an object whose kind does not return it. */
export function deletedStatus(resource: GroupResource, object: KubeObject): JsonObject {
  return {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Success',
    details: {
      name: object.metadata.name,
      ...(resource.group === '' ? {} : { group: resource.group }),
      kind: resource.plural,
      ...(object.metadata.uid === undefined ? {} : { uid: object.metadata.uid }),
    },
  };
}
