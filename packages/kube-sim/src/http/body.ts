/** Request bodies: read completely, then decoded by their media type. */
import { Buffer } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { parseDocument } from 'yaml';
import { badRequest, unsupportedMediaType } from '../errors/api-errors.ts';
import { type Json, StatusError } from '../object.ts';
import { decodeProtobuf } from '../protobuf/decode.ts';
import { duplicateFields } from './duplicate-fields.ts';
import { parseMediaRanges } from './negotiate.ts';

/** A decoded body. */
export interface Body {
  /** Undefined if the body is empty. */
  readonly value: Json | undefined;
  /** A sentence for each duplicate field. */
  readonly faults: readonly string[];
}

/** Larger bodies are rejected, as by the real server. Bytes. */
const LARGEST_BODY = 3 * 1024 * 1024;
const PROTOBUF = 'application/vnd.kubernetes.protobuf';
/** Media types of a POST or PUT. */
const BODY_TYPES: readonly string[] = ['application/json', 'application/yaml', PROTOBUF];

/**
 * The bytes of a body.
 * @throws StatusError 413
 */
export async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > LARGEST_BODY) throw tooLarge();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function tooLarge(): StatusError {
  const message = `Request entity too large: limit is ${LARGEST_BODY}`;
  return new StatusError({ code: 413, reason: 'RequestEntityTooLarge', message });
}

/** The media type of a body; default: JSON. */
export function mediaType(contentType: string | undefined): string {
  return parseMediaRanges(contentType)[0]?.type ?? 'application/json';
}

/**
 * Decodes a body as one of the accepted types.
 * @throws StatusError 400 (does not parse) or 415
 */
export function decodeBody(bytes: Buffer, type: string, accepted: readonly string[] = BODY_TYPES): Body {
  if (!accepted.includes(type)) throw unsupportedMediaType(accepted);
  if (bytes.length === 0) return { value: undefined, faults: [] };
  if (type === PROTOBUF) return { value: decodeProtobuf(bytes), faults: [] };
  const text = bytes.toString('utf8');
  return type.endsWith('yaml') ? decodeYaml(text) : decodeJson(text);
}

function decodeJson(text: string): Body {
  try {
    const value: Json = JSON.parse(text);
    return { value, faults: duplicateFields(text).map((path) => `duplicate field "${path}"`) };
  } catch (error) {
    throw badRequest(`the request body is not valid JSON: ${(error as Error).message}`);
  }
}

function decodeYaml(text: string): Body {
  const document = parseDocument(text, { uniqueKeys: false, version: '1.1', merge: true });
  const [error] = document.errors;
  if (error !== undefined) throw badRequest(`error parsing YAML: ${error.message}`);
  return { value: document.toJS({ maxAliasCount: 100 }) as Json, faults: [] };
}
