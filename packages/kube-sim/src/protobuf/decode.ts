/** Request bodies in Kubernetes' protobuf form, which kubectl and helm send for built-in kinds. Replies are JSON. */
import { Buffer } from 'node:buffer';
import { badRequest } from '../errors/api-errors.ts';
import type { Json, JsonObject } from '../object.ts';
import { parseApiVersion } from '../resources/definition.ts';
import { setMember } from '../schema/json-values.ts';
import { MESSAGES, type MessageField } from './gen/messages.ts';
import { readFields } from './reader.ts';

/** Every body begins with these bytes, followed by a `runtime.Unknown`. */
const MAGIC = Buffer.from('k8s\0');

/**
 * The object of a protobuf body, in its JSON form.
 * @throws StatusError 400 for an invalid body or an unknown kind
 */
export function decodeProtobuf(bytes: Buffer): Json {
  if (!bytes.subarray(0, MAGIC.length).equals(MAGIC))
    throw badRequest('provided data does not appear to be a protobuf message, expected prefix [107 56 115 0]');
  try {
    return decodeUnknown(bytes.subarray(MAGIC.length));
  } catch (error) {
    if (error instanceof RangeError || error instanceof SyntaxError) throw badRequest(error.message);
    throw error;
  }
}

function decodeUnknown(bytes: Buffer): Json {
  let apiVersion = '';
  let kind = '';
  let raw: Buffer = Buffer.alloc(0);
  for (const { number, value } of readFields(bytes)) {
    if (number === 1) ({ apiVersion, kind } = decodeTypeMeta(asBytes(value)));
    else if (number === 2) raw = asBytes(value);
  }
  const { group, version } = parseApiVersion(apiVersion);
  // Options may name the group of their target resource.
  const message =
    kind === 'DeleteOptions' ? 'meta/v1.DeleteOptions' : `${group === '' ? 'core' : group}/${version}.${kind}`;
  if (MESSAGES[message] === undefined)
    throw badRequest(`no protobuf description of ${apiVersion} ${kind} is known: send it as application/json`);
  return { kind, apiVersion, ...decodeMessage(raw, message) };
}

function decodeTypeMeta(bytes: Buffer): { apiVersion: string; kind: string } {
  const meta = { apiVersion: '', kind: '' };
  for (const { number, value } of readFields(bytes)) {
    if (number === 1) meta.apiVersion = asBytes(value).toString();
    else if (number === 2) meta.kind = asBytes(value).toString();
  }
  return meta;
}

const byNumber = new Map<string, ReadonlyMap<number, MessageField>>();

function fieldsOf(message: string): ReadonlyMap<number, MessageField> {
  let fields = byNumber.get(message);
  if (fields === undefined) {
    fields = new Map((MESSAGES[message] ?? []).map((field) => [field[0], field]));
    byNumber.set(message, fields);
  }
  return fields;
}

function decodeMessage(bytes: Buffer, message: string): JsonObject {
  const object: JsonObject = {};
  const fields = fieldsOf(message);
  for (const { number, value } of readFields(bytes)) {
    const field = fields.get(number);
    if (field === undefined) continue;
    const [, name, type, keepEmpty] = field;
    if (type.startsWith('[]')) append(object, name, decodeValue(value, type.slice(2)));
    else if (type.startsWith('{}')) putEntry(object, name, asBytes(value), type.slice(2));
    else {
      const decoded = decodeValue(value, type);
      if (name === '') Object.assign(object, decoded);
      else if (keepEmpty === 1 ? decoded !== undefined : !isEmpty(decoded)) object[name] = decoded as Json;
    }
  }
  return object;
}

function append(object: JsonObject, name: string, item: Json | undefined): void {
  const list = (object[name] as Json[] | undefined) ?? [];
  if (item !== undefined) list.push(item);
  object[name] = list;
}

function putEntry(object: JsonObject, name: string, bytes: Buffer, type: string): void {
  let key = '';
  let value: Json | undefined = emptyOf(type);
  for (const field of readFields(bytes)) {
    if (field.number === 1) key = asBytes(field.value).toString();
    else if (field.number === 2) value = decodeValue(field.value, type);
  }
  const map = (object[name] as JsonObject | undefined) ?? {};
  setMember(map, key, value ?? null);
  object[name] = map;
}

function emptyOf(type: string): Json {
  return type === 'string' || type === 'bytes' ? '' : type.startsWith('list:') ? [] : {};
}

function decodeValue(value: bigint | Buffer, type: string): Json | undefined {
  switch (type) {
    case 'string':
      return asBytes(value).toString();
    case 'bytes':
      return asBytes(value).toString('base64');
    case 'bool':
      return value === 1n;
    case 'int':
      return Number(BigInt.asIntN(64, value as bigint));
    case 'double':
      return asBytes(value).readDoubleLE();
    case 'time':
    case 'microTime':
      return decodeTime(asBytes(value), type === 'microTime');
    case 'duration':
      return `${integers(asBytes(value))[1] / 1e9}s`;
    case 'quantity':
      return texts(asBytes(value))[1];
    case 'intOrString': {
      const [, kind, number] = integers(asBytes(value));
      return kind === 0 ? number : texts(asBytes(value))[3];
    }
    case 'raw': {
      const [field] = readFields(asBytes(value));
      return field === undefined ? undefined : (JSON.parse(asBytes(field.value).toString()) as Json);
    }
    default:
      if (type.startsWith('list:')) return decodeList(asBytes(value), type.slice(5));
      return decodeMessage(asBytes(value), type);
  }
}

function decodeList(bytes: Buffer, type: string): Json[] {
  return [...readFields(bytes)].flatMap(({ value }) => decodeValue(value, type) ?? []);
}

/** A zero time means unset. */
function decodeTime(bytes: Buffer, micro: boolean): string | undefined {
  const [, seconds, nanos] = integers(bytes);
  if (bytes.length === 0) return undefined;
  const text = new Date(seconds * 1000).toISOString().slice(0, 19);
  return micro ? `${text}.${String(Math.floor(nanos / 1000)).padStart(6, '0')}Z` : `${text}Z`;
}

/** The number fields of a small message, by field number. */
function integers(bytes: Buffer): [number, number, number] {
  const found: [number, number, number] = [0, 0, 0];
  for (const { number, value } of readFields(bytes))
    if (typeof value === 'bigint' && number < 3) found[number] = Number(BigInt.asIntN(64, value));
  return found;
}

/** The text fields of a small message, by field number. */
function texts(bytes: Buffer): [string, string, string, string] {
  const found: [string, string, string, string] = ['', '', '', ''];
  for (const { number, value } of readFields(bytes))
    if (typeof value !== 'bigint' && number < 4) found[number] = value.toString();
  return found;
}

function asBytes(value: bigint | Buffer): Buffer {
  if (typeof value === 'bigint') throw new RangeError('protobuf: a number stands where bytes belong');
  return value;
}

function isEmpty(value: Json | undefined): boolean {
  if (value === undefined || value === '' || value === 0 || value === false) return true;
  if (Array.isArray(value)) return value.length === 0;
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0;
}
