/** Placeholder until the protobuf reader lands. */
import type { Buffer } from 'node:buffer';
import { unsupportedMediaType } from '../errors/api-errors.ts';
import type { Json } from '../object.ts';

/** Refuses protobuf. */
export function decodeProtobuf(_bytes: Buffer): Json {
  throw unsupportedMediaType(['application/json', 'application/yaml']);
}
