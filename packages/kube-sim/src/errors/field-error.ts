/** Reasons why a field of an object is rejected, with the texts of the real API server. */
import type { Json, StatusCause } from '../object.ts';

/** The machine-readable reason of a {@link FieldError}, as in `details.causes[].reason`. */
export type FieldErrorReason =
  | 'FieldValueRequired'
  | 'FieldValueInvalid'
  | 'FieldValueTypeInvalid'
  | 'FieldValueNotSupported'
  | 'FieldValueDuplicate'
  | 'FieldValueForbidden'
  | 'FieldValueTooLong'
  | 'FieldValueTooMany';

/** One rejected field. `field` is its dotted path, or `<nil>` for the object as a whole. */
export interface FieldError {
  readonly field: string;
  readonly reason: FieldErrorReason;
  /** The sentence without the path. */
  readonly detail: string;
}

/** Go prints rejected objects as compact JSON, strings quoted, numbers bare. */
function printed(value: Json): string {
  return JSON.stringify(value);
}

function withDetail(head: string, detail: string): string {
  return detail === '' ? head : `${head}: ${detail}`;
}

/** The field is required. */
export function required(field: string, detail = ''): FieldError {
  return { field, reason: 'FieldValueRequired', detail: withDetail('Required value', detail) };
}

/** The value breaks a rule. */
export function invalid(field: string, value: Json, detail: string): FieldError {
  return { field, reason: 'FieldValueInvalid', detail: withDetail(`Invalid value: ${printed(value)}`, detail) };
}

/** The value has another JSON type than the schema. */
export function typeInvalid(field: string, value: Json, detail: string): FieldError {
  return { field, reason: 'FieldValueTypeInvalid', detail: withDetail(`Invalid value: ${printed(value)}`, detail) };
}

/** The value is not one of a closed set. */
export function notSupported(field: string, value: Json, supported: readonly string[]): FieldError {
  const list = supported.map((item) => JSON.stringify(item)).join(', ');
  return {
    field,
    reason: 'FieldValueNotSupported',
    detail: `Unsupported value: ${printed(value)}: supported values: ${list}`,
  };
}

/** The value is a duplicate. */
export function duplicate(field: string, value: Json): FieldError {
  return { field, reason: 'FieldValueDuplicate', detail: `Duplicate value: ${printed(value)}` };
}

/** The field is forbidden here. */
export function forbidden(field: string, detail: string): FieldError {
  return { field, reason: 'FieldValueForbidden', detail: withDetail('Forbidden', detail) };
}

/** The string has more than `maximum` bytes. */
export function tooLong(field: string, maximum: number): FieldError {
  return { field, reason: 'FieldValueTooLong', detail: `Too long: may not be more than ${maximum} bytes` };
}

/** The list or map has more than `maximum` items. */
export function tooMany(field: string, actual: number, maximum: number): FieldError {
  return { field, reason: 'FieldValueTooMany', detail: `Too many: ${actual}: must have at most ${maximum} items` };
}

/** The error as one sentence: path and detail. */
export function fieldErrorText(error: FieldError): string {
  return `${error.field}: ${error.detail}`;
}

/** The errors in the form of a `Status`. */
export function causesOf(errors: readonly FieldError[]): StatusCause[] {
  return errors.map((error) => ({ reason: error.reason, message: error.detail, field: error.field }));
}
