/** Messages as protobuf JSON with Envoy's own field names, as in its configuration files. */
import {
  type DescMessage,
  fromJson,
  type JsonObject,
  type JsonValue,
  type MessageShape,
  toJson,
} from '@bufbuild/protobuf';
import { registry } from './registry.ts';

/** Converts a message to JSON: snake_case names, an Any as its message with `@type`, fields without a value omitted. */
export function messageToJson<Schema extends DescMessage>(schema: Schema, message: MessageShape<Schema>): JsonObject {
  return toJson(schema, message, { registry, useProtoFieldName: true }) as JsonObject;
}

/**
 * Converts JSON to a message. Map keys are read in the order of their names, so that equal JSON yields equal bytes.
 * @throws Error that names the field, for unknown fields and for an Any of an unknown type
 */
export function messageFromJson<Schema extends DescMessage>(schema: Schema, json: JsonValue): MessageShape<Schema> {
  return fromJson(schema, ordered(json), { registry });
}

function ordered(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(ordered);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.keys(value)
      .sort()
      .map((key) => [key, ordered(value[key] as JsonValue)]),
  );
}
