/** An extension's configuration, as it is embedded in other messages. */
import { create, type DescMessage, type MessageInitShape, type MessageShape, toBinary } from '@bufbuild/protobuf';
import { type Any, AnySchema, anyUnpack } from '@bufbuild/protobuf/wkt';

/**
 * Builds a message and packs it: `pack(router.RouterSchema, {})`. Its type URL begins with `type.googleapis.com/`, as
 * Envoy expects.
 */
export function pack<Schema extends DescMessage>(schema: Schema, init: MessageInitShape<Schema>): Any {
  return packMessage(schema, create(schema, init));
}

/** Packs an existing message. */
export function packMessage<Schema extends DescMessage>(schema: Schema, message: MessageShape<Schema>): Any {
  return create(AnySchema, { typeUrl: typeUrlOf(schema), value: toBinary(schema, message) });
}

/** The message in an Any when it is of this schema, else undefined. @throws Error when its bytes are malformed */
export function unpack<Schema extends DescMessage>(
  any: Any | undefined,
  schema: Schema,
): MessageShape<Schema> | undefined {
  return any === undefined ? undefined : anyUnpack(any, schema);
}

/** `type.googleapis.com/` and the message's full name. */
export function typeUrlOf(schema: DescMessage): string {
  return `type.googleapis.com/${schema.typeName}`;
}
