/** The errors of the API, with the texts of the real API server. */
import { type ApiError, type StatusDetails, StatusError } from '../object.ts';
import { causesOf, type FieldError, fieldErrorText } from './field-error.ts';

/** A resource in error texts: `pods`, `widgets.ex.io`. */
export interface GroupResource {
  readonly group: string;
  readonly plural: string;
}

/** A kind in error texts: `Pod`, `Widget.ex.io`. */
export interface GroupKind {
  readonly group: string;
  readonly kind: string;
}

function qualified(name: string, group: string): string {
  return group === '' ? name : `${name}.${group}`;
}

function details(resource: GroupResource, name: string): StatusDetails {
  return {
    ...(name === '' ? {} : { name }),
    ...(resource.group === '' ? {} : { group: resource.group }),
    kind: resource.plural,
  };
}

function failure(status: ApiError): StatusError {
  return new StatusError(status);
}

/** 400 BadRequest. */
export function badRequest(message: string): StatusError {
  return failure({ code: 400, reason: 'BadRequest', message });
}

/** 401 Unauthorized: the credential is unknown. */
export function unauthorized(): StatusError {
  return failure({ code: 401, reason: 'Unauthorized', message: 'Unauthorized' });
}

/** 403 Forbidden for an object or a resource. */
export function forbiddenResource(resource: GroupResource, name: string, why: string): StatusError {
  const what = qualified(resource.plural, resource.group);
  const message = name === '' ? `${what} is forbidden: ${why}` : `${what} ${JSON.stringify(name)} is forbidden: ${why}`;
  return failure({ code: 403, reason: 'Forbidden', message, details: details(resource, name) });
}

/** 403 Forbidden for a non-resource path. */
export function forbiddenPath(user: string, verb: string, path: string): StatusError {
  const message = `forbidden: User ${JSON.stringify(user)} cannot ${verb} path ${JSON.stringify(path)}`;
  return failure({ code: 403, reason: 'Forbidden', message, details: {} });
}

/** 404 NotFound for an object. */
export function notFound(resource: GroupResource, name: string): StatusError {
  return failure({
    code: 404,
    reason: 'NotFound',
    message: `${qualified(resource.plural, resource.group)} ${JSON.stringify(name)} not found`,
    details: details(resource, name),
  });
}

/** 404 NotFound for an unknown subresource or verb path of an existing resource. */
export function resourceNotFound(): StatusError {
  return failure({
    code: 404,
    reason: 'NotFound',
    message: 'the server could not find the requested resource',
    details: {},
  });
}

/** 405 MethodNotAllowed. */
export function methodNotAllowed(): StatusError {
  return failure({
    code: 405,
    reason: 'MethodNotAllowed',
    message: 'the server does not allow this method on the requested resource',
    details: {},
  });
}

/** 406 NotAcceptable: no offered media type is accepted. The text differs between custom and built-in resources. */
export function notAcceptable(offered: readonly string[], custom: boolean): StatusError {
  const types = offered.join(', ');
  if (custom)
    return failure({
      code: 406,
      reason: 'NotAcceptable',
      message: `only the following media types are accepted: ${types}`,
    });
  const message = `406: Not Acceptable\n\nAvailable representations: ${types}`;
  return failure({ code: 406, reason: 'NotAcceptable', message, details: {} });
}

/** 409 AlreadyExists. */
export function alreadyExists(resource: GroupResource, name: string): StatusError {
  return failure({
    code: 409,
    reason: 'AlreadyExists',
    message: `${qualified(resource.plural, resource.group)} ${JSON.stringify(name)} already exists`,
    details: details(resource, name),
  });
}

/** 409 AlreadyExists for a name whose previous object still waits for its finalizers. */
export function beingDeleted(resource: GroupResource, name: string): StatusError {
  const error = alreadyExists(resource, name);
  return failure({ ...error.status, message: `object is being deleted: ${error.status.message}` });
}

/** 409 Conflict: the write is based on an outdated state. */
export function conflict(resource: GroupResource, name: string, why: string): StatusError {
  return failure({
    code: 409,
    reason: 'Conflict',
    message: `Operation cannot be fulfilled on ${qualified(resource.plural, resource.group)} ${JSON.stringify(name)}: ${why}`,
    details: details(resource, name),
  });
}

/** Text of a {@link conflict} if the sent resourceVersion is not the stored one. */
export const OBJECT_MODIFIED =
  'the object has been modified; please apply your changes to the latest version and try again';

/** 409 Conflict: a delete precondition names another incarnation. The text names the kind, not the resource. */
export function preconditionFailed(kind: GroupKind, resource: GroupResource, name: string, why: string): StatusError {
  return failure({
    code: 409,
    reason: 'Conflict',
    message: `Operation cannot be fulfilled on ${qualified(kind.kind, kind.group)} ${JSON.stringify(name)}: ${why}`,
    details: details({ group: resource.group, plural: kind.kind }, name),
  });
}

/** 410 Expired: the requested resourceVersion is no longer stored. */
export function expired(message: string, continueToken?: string): StatusError {
  return failure({ code: 410, reason: 'Expired', message, ...(continueToken === undefined ? {} : { continueToken }) });
}

/** 415 UnsupportedMediaType with the real server's text for bodies. */
export function unsupportedMediaType(accepted: readonly string[]): StatusError {
  return failure({
    code: 415,
    reason: 'UnsupportedMediaType',
    message: `the body of the request was in an unknown format - accepted media types include: ${accepted.join(', ')}`,
  });
}

/** 422 Invalid: the object breaks rules of its kind. */
export function invalidObject(kind: GroupKind, name: string, errors: readonly FieldError[]): StatusError {
  const texts = errors.map(fieldErrorText);
  const text = texts.length === 1 ? texts[0] : `[${texts.join(', ')}]`;
  return failure({
    code: 422,
    reason: 'Invalid',
    message: `${qualified(kind.kind, kind.group)} ${JSON.stringify(name)} is invalid: ${text}`,
    details: {
      ...(name === '' ? {} : { name }),
      ...(kind.group === '' ? {} : { group: kind.group }),
      kind: kind.kind,
      causes: causesOf(errors),
    },
  });
}

/** 422 Invalid for request options (`PatchOptions`, `ListOptions`, ...), which have no name. */
export function invalidOptions(kind: string, errors: readonly FieldError[]): StatusError {
  return invalidObject({ group: 'meta.k8s.io', kind }, '', errors);
}

/** 500 InternalError for an error of the simulator itself. */
export function internalError(message: string): StatusError {
  return failure({
    code: 500,
    reason: 'InternalError',
    message: `Internal error occurred: ${message}`,
    details: { causes: [{ message }] },
  });
}

/** 500 without a reason, as the real server answers errors without an API form. */
export function plainError(message: string): StatusError {
  return failure({ code: 500, reason: '', message });
}

/** 504 Timeout: a resourceVersion from the future. */
export function tooLargeResourceVersion(requested: number, current: number): StatusError {
  return failure({
    code: 504,
    reason: 'Timeout',
    message: `Timeout: Too large resource version: ${requested}, current: ${current}`,
    details: {
      causes: [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }],
      retryAfterSeconds: 1,
    },
  });
}

/** The reasons of errors that can be selected by their code alone. */
const REASONS: Readonly<Record<number, string>> = {
  400: 'BadRequest',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'NotFound',
  409: 'Conflict',
  410: 'Expired',
  422: 'Invalid',
  429: 'TooManyRequests',
  500: 'InternalError',
  503: 'ServiceUnavailable',
  504: 'Timeout',
};

/** An error with any code. */
export function failureOf(code: number, message: string, retryAfterSeconds?: number): StatusError {
  const details = retryAfterSeconds === undefined ? {} : { details: { retryAfterSeconds } };
  return failure({ code, reason: REASONS[code] ?? '', message, ...details });
}
