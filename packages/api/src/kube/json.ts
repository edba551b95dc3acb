// JSON values, for the few fields whose content is not defined by Meshrelay.

/** Any JSON value. */
export type JsonValue = string | number | boolean | null | readonly JsonValue[] | JsonObject;

/** A JSON object with unknown fields. */
export interface JsonObject {
  readonly [key: string]: JsonValue;
}
