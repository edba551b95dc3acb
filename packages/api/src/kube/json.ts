// Values as JSON can carry them, for the few fields whose content belongs to someone else.

/** Any JSON value. */
export type JsonValue = string | number | boolean | null | readonly JsonValue[] | JsonObject;

/** A JSON object whose fields are not known here. */
export interface JsonObject {
  readonly [key: string]: JsonValue;
}
