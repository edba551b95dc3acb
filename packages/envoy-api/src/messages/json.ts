/** Messages as protobuf JSON with Envoy's own field names, the way people write its configuration. */
import {
  type DescMessage,
  fromJson,
  type JsonObject,
  type JsonValue,
  type MessageShape,
  toJson,
} from '@bufbuild/protobuf';
import { registry } from './registry.ts';

/** A message as JSON: snake_case names, an Any as its message with `@type`, fields without a value left out. */
export function messageToJson<Schema extends DescMessage>(schema: Schema, message: MessageShape<Schema>): JsonObject {
  return toJson(schema, message, { registry, useProtoFieldName: true }) as JsonObject;
}

/**
 * JSON as a message. The keys of maps are taken in the order of their names, so that equal JSON makes equal bytes.
 * @throws Error that names the field, for what the message does not have and for an Any of a type this package does not know
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
