/** Fast decoder of StreamAccessLogsMessage (Envoy v3): decodes only the requested fields of entries. */
import type { Buffer } from 'node:buffer';
import { blankFields, type FilterStateObject, type WritableFields } from '../entry/access-log-fields.ts';
import { flagWords, KNOWN_FLAGS, methodWord, protocolWord, tlsVersionWord, typeWord } from '../entry/words.ts';
import { readTextPair } from '../wire/text-pair.ts';
import { WireReader } from '../wire/wire-reader.ts';
import type { Projection } from './projection.ts';

/** Receives the parts of one message as offsets into its bytes: `from` inclusive, `to` exclusive. */
export interface MessageVisitor {
  /** Node and log name; in the first message of a stream. */
  identifier(from: number, to: number): void;
  /** One entry. It is not decoded before `decode` is called with its offsets, now or later. */
  entry(kind: 'http' | 'tcp', from: number, to: number): void;
}

/**
 * Splits a message into entries, and decodes entries.
 * Unknown fields and fields with another wire type are skipped. If a field occurs twice, the later value is used.
 * Invalid UTF-8 is replaced with U+FFFD.
 */
export class AlsDecoder {
  readonly #outer = new WireReader();
  readonly #inner = new WireReader();

  /**
   * Visits the parts of a message in their order.
   * @returns the number of entries
   * @throws WireError if the bytes are not such a message; parts before the error have been visited
   */
  scan(bytes: Buffer, visitor: MessageVisitor): number {
    const r = this.#outer;
    r.open(bytes, 0, bytes.length);
    let entries = 0;
    try {
      while (r.pos < r.end) {
        const tag = r.uint32();
        if (tag === 10) {
          const length = r.length();
          visitor.identifier(r.pos, r.pos + length);
          r.pos += length;
        } else if (tag === 18) entries += scanEntries(r, 'http', visitor);
        else if (tag === 26) entries += scanEntries(r, 'tcp', visitor);
        else r.skip(tag);
      }
      return entries;
    } finally {
      r.close();
    }
  }

  /**
   * Decodes the requested fields of the entry at `from` to `to`, the offsets that `scan` reported.
   * @throws WireError if the bytes are not such an entry
   */
  decode(bytes: Buffer, kind: 'http' | 'tcp', from: number, to: number, requested: Projection): WritableFields {
    const r = this.#inner;
    const into = blankFields(kind);
    r.open(bytes, from, to);
    try {
      if (kind === 'http') readHttp(r, into, requested);
      else readTcp(r, into, requested);
      return into;
    } finally {
      r.close();
    }
  }
}

function scanEntries(r: WireReader, kind: 'http' | 'tcp', visitor: MessageVisitor): number {
  let entries = 0;
  const outer = r.enter();
  while (r.pos < r.end) {
    const tag = r.uint32();
    if (tag !== 10) {
      r.skip(tag);
      continue;
    }
    const length = r.length();
    visitor.entry(kind, r.pos, r.pos + length);
    r.pos += length;
    entries++;
  }
  r.leave(outer);
  return entries;
}

/** HTTPAccessLogEntry. */
function readHttp(r: WireReader, into: WritableFields, requested: Projection): void {
  for (let tag = r.next(requested.http); tag !== 0; tag = r.next(requested.http)) {
    if (tag === 10) readCommon(r, into, requested);
    else if (tag === 16) into.protocol = protocolWord(r.uint32());
    else if (tag === 26) readRequest(r, into, requested.request);
    else if (tag === 34) readResponse(r, into, requested.response);
    else r.skip(tag);
  }
}

/** TCPAccessLogEntry. */
function readTcp(r: WireReader, into: WritableFields, requested: Projection): void {
  for (let tag = r.next(requested.tcp); tag !== 0; tag = r.next(requested.tcp)) {
    if (tag === 10) readCommon(r, into, requested);
    else if (tag === 18) readConnection(r, into, requested.connection);
    else r.skip(tag);
  }
}

/** ConnectionProperties. */
function readConnection(r: WireReader, into: WritableFields, requested: Uint8Array): void {
  const outer = r.enter();
  for (let tag = r.next(requested); tag !== 0; tag = r.next(requested)) {
    if (tag === 8) into.receivedBytes = r.uint64();
    else if (tag === 16) into.sentBytes = r.uint64();
    else r.skip(tag);
  }
  r.leave(outer);
}

/** AccessLogCommon. */
function readCommon(r: WireReader, into: WritableFields, requested: Projection): void {
  const outer = r.enter();
  const { common } = requested;
  for (let tag = r.next(common); tag !== 0; tag = r.next(common)) {
    switch (tag) {
      case 9:
        into.sampleRate = r.double();
        break;
      case 18:
        into.downstreamRemoteAddress = readAddress(r);
        break;
      case 26:
        into.downstreamLocalAddress = readAddress(r);
        break;
      case 34:
        readTls(r, into, requested);
        break;
      case 42:
        into.startTime = readMilliseconds(r);
        break;
      case 50:
        into.timeToLastRxByte = readMilliseconds(r);
        break;
      case 58:
        into.timeToFirstUpstreamTxByte = readMilliseconds(r);
        break;
      case 66:
        into.timeToLastUpstreamTxByte = readMilliseconds(r);
        break;
      case 74:
        into.timeToFirstUpstreamRxByte = readMilliseconds(r);
        break;
      case 82:
        into.timeToLastUpstreamRxByte = readMilliseconds(r);
        break;
      case 90:
        into.timeToFirstDownstreamTxByte = readMilliseconds(r);
        break;
      case 98:
        into.timeToLastDownstreamTxByte = readMilliseconds(r);
        break;
      case 106:
        into.upstreamRemoteAddress = readAddress(r);
        break;
      case 114:
        into.upstreamLocalAddress = readAddress(r);
        break;
      case 122:
        into.upstreamCluster = r.commonText();
        break;
      case 130:
        into.responseFlags = flagWords(readFlags(r));
        break;
      case 146:
        into.upstreamTransportFailureReason = r.commonText();
        break;
      case 154:
        into.routeName = r.commonText();
        break;
      case 162:
        into.downstreamDirectRemoteAddress = readAddress(r);
        break;
      case 170:
        into.filterState = readFilterState(r, into.filterState);
        break;
      case 178:
        into.customTags = readText(r, into.customTags);
        break;
      case 186:
        into.duration = readMilliseconds(r);
        break;
      case 192:
        into.upstreamRequestAttemptCount = r.uint32();
        break;
      case 202:
        into.connectionTerminationDetails = r.commonText();
        break;
      case 210:
        into.streamId = r.text();
        break;
      case 216:
        into.intermediate = r.bool();
        break;
      case 226:
        into.downstreamTransportFailureReason = r.commonText();
        break;
      case 232:
        into.downstreamWireBytesSent = r.uint64();
        break;
      case 240:
        into.downstreamWireBytesReceived = r.uint64();
        break;
      case 248:
        into.upstreamWireBytesSent = r.uint64();
        break;
      case 256:
        into.upstreamWireBytesReceived = r.uint64();
        break;
      case 264:
        into.accessLogType = typeWord(r.uint32());
        break;
      default:
        r.skip(tag);
    }
  }
  r.leave(outer);
}

/** HTTPRequestProperties. */
function readRequest(r: WireReader, into: WritableFields, requested: Uint8Array): void {
  const outer = r.enter();
  for (let tag = r.next(requested); tag !== 0; tag = r.next(requested)) {
    switch (tag) {
      case 8:
        into.method = methodWord(r.uint32());
        break;
      case 18:
        into.scheme = r.commonText();
        break;
      case 26:
        into.authority = r.commonText();
        break;
      case 34:
        into.port = readWrapped(r);
        break;
      case 42:
        into.path = r.commonText();
        break;
      case 50:
        into.userAgent = r.commonText();
        break;
      case 58:
        into.referer = r.commonText();
        break;
      case 66:
        into.forwardedFor = r.commonText();
        break;
      case 74:
        into.requestId = r.text();
        break;
      case 82:
        into.originalPath = r.commonText();
        break;
      case 88:
        into.requestHeadersBytes = r.uint64();
        break;
      case 96:
        into.requestBodyBytes = r.uint64();
        break;
      case 106:
        into.requestHeaders = readText(r, into.requestHeaders);
        break;
      default:
        r.skip(tag);
    }
  }
  r.leave(outer);
}

/** HTTPResponseProperties. */
function readResponse(r: WireReader, into: WritableFields, requested: Uint8Array): void {
  const outer = r.enter();
  for (let tag = r.next(requested); tag !== 0; tag = r.next(requested)) {
    switch (tag) {
      case 10:
        into.status = readWrapped(r);
        break;
      case 16:
        into.responseHeadersBytes = r.uint64();
        break;
      case 24:
        into.responseBodyBytes = r.uint64();
        break;
      case 34:
        into.responseHeaders = readText(r, into.responseHeaders);
        break;
      case 42:
        into.responseTrailers = readText(r, into.responseTrailers);
        break;
      case 50:
        into.responseCodeDetails = r.commonText();
        break;
      default:
        r.skip(tag);
    }
  }
  r.leave(outer);
}

/** TLSProperties. */
function readTls(r: WireReader, into: WritableFields, { tls, peer }: Projection): void {
  const outer = r.enter();
  for (let tag = r.next(tls); tag !== 0; tag = r.next(tls)) {
    if (tag === 8) into.tlsVersion = tlsVersionWord(r.uint32());
    else if (tag === 26) into.tlsSni = r.commonText();
    else if (tag === 34) into.localPrincipal = readCertificate(r).uri;
    else if (tag === 42) {
      const { uri, subject } = readCertificate(r);
      if (peer[1] === 1) into.peerPrincipal = uri;
      if (peer[2] === 1) into.peerSubject = subject;
    } else r.skip(tag);
  }
  r.leave(outer);
}

/** CertificateProperties: the first URI of the subject alternative names, and the subject. */
function readCertificate(r: WireReader): { readonly uri: string | undefined; readonly subject: string | undefined } {
  let uri: string | undefined;
  let subject: string | undefined;
  const outer = r.enter();
  while (r.pos < r.end) {
    const tag = r.uint32();
    if (tag === 10) {
      const name = readUri(r);
      uri ??= name;
    } else if (tag === 18) subject = r.commonText();
    else r.skip(tag);
  }
  r.leave(outer);
  return { uri, subject };
}

/** SubjectAltName: the URI, if it is one. */
function readUri(r: WireReader): string | undefined {
  let uri: string | undefined;
  const outer = r.enter();
  while (r.pos < r.end) {
    const tag = r.uint32();
    if (tag === 10) uri = r.commonText();
    else {
      // A later member of the union replaces an earlier one.
      if (tag === 18) uri = undefined;
      r.skip(tag);
    }
  }
  r.leave(outer);
  return uri;
}

/** Timestamp or Duration: seconds and nanoseconds, as milliseconds. */
function readMilliseconds(r: WireReader): number {
  let seconds = 0;
  let nanos = 0;
  const outer = r.enter();
  while (r.pos < r.end) {
    const tag = r.uint32();
    if (tag === 8) seconds = r.int64();
    else if (tag === 16) nanos = r.int64();
    else r.skip(tag);
  }
  r.leave(outer);
  // Computed in whole microseconds, which a double holds exactly: so the result is rounded only once.
  return (seconds * 1e6 + nanos / 1e3) / 1e3;
}

/** UInt32Value. */
function readWrapped(r: WireReader): number {
  let value = 0;
  const outer = r.enter();
  while (r.pos < r.end) {
    const tag = r.uint32();
    if (tag === 8) value = r.uint32();
    else r.skip(tag);
  }
  r.leave(outer);
  return value;
}

/** ResponseFlags: one bit for each field that is set. Field 13 is a message; its presence is the flag. */
function readFlags(r: WireReader): number {
  let mask = 0;
  const outer = r.enter();
  while (r.pos < r.end) {
    const tag = r.uint32();
    const number = tag >>> 3;
    if ((tag & 7) === 0 && number < KNOWN_FLAGS && number !== 13 && number !== 0) {
      if (r.bool()) mask |= 1 << number;
      else mask &= ~(1 << number);
    } else {
      if (tag === 106) mask |= 1 << 13;
      r.skip(tag);
    }
  }
  r.leave(outer);
  return mask;
}

/** core.v3.Address. */
function readAddress(r: WireReader): string | undefined {
  let address: string | undefined;
  const outer = r.enter();
  while (r.pos < r.end) {
    const tag = r.uint32();
    if (tag === 10) address = readSocketAddress(r);
    else if (tag === 18) address = readPipe(r);
    else if (tag === 26) address = readInternalAddress(r);
    else r.skip(tag);
  }
  r.leave(outer);
  return address;
}

function readSocketAddress(r: WireReader): string {
  let host = '';
  let port = 0;
  const outer = r.enter();
  while (r.pos < r.end) {
    const tag = r.uint32();
    if (tag === 18) host = r.commonText();
    else if (tag === 24) port = r.uint32();
    else r.skip(tag);
  }
  r.leave(outer);
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
}

function readPipe(r: WireReader): string {
  let path = '';
  const outer = r.enter();
  while (r.pos < r.end) {
    const tag = r.uint32();
    if (tag === 10) path = r.commonText();
    else r.skip(tag);
  }
  r.leave(outer);
  return path;
}

function readInternalAddress(r: WireReader): string {
  let listener = '';
  let endpoint = '';
  const outer = r.enter();
  while (r.pos < r.end) {
    const tag = r.uint32();
    if (tag === 10) listener = r.commonText();
    else if (tag === 18) endpoint = r.commonText();
    else r.skip(tag);
  }
  r.leave(outer);
  return `envoy://${listener}/${endpoint}`;
}

/** One entry of a text map. */
function readText(r: WireReader, known: Readonly<Record<string, string>> | undefined): Record<string, string> {
  const texts: Record<string, string> = known ?? Object.create(null);
  const [name, value] = readTextPair(r);
  texts[name] = value;
  return texts;
}

/** One entry of the filter state map. */
function readFilterState(
  r: WireReader,
  known: Readonly<Record<string, FilterStateObject>> | undefined,
): Record<string, FilterStateObject> {
  const objects: Record<string, FilterStateObject> = known ?? Object.create(null);
  let name = '';
  let object: FilterStateObject = { typeUrl: '', value: '' };
  const outer = r.enter();
  while (r.pos < r.end) {
    const tag = r.uint32();
    if (tag === 10) name = r.commonText();
    else if (tag === 18) object = readAny(r);
    else r.skip(tag);
  }
  r.leave(outer);
  objects[name] = object;
  return objects;
}

function readAny(r: WireReader): FilterStateObject {
  let typeUrl = '';
  let value = '';
  const outer = r.enter();
  while (r.pos < r.end) {
    const tag = r.uint32();
    if (tag === 10) typeUrl = r.commonText();
    else if (tag === 18) {
      const length = r.length();
      value = r.bytes.toString('base64', r.pos, r.pos + length);
      r.pos += length;
    } else r.skip(tag);
  }
  r.leave(outer);
  return { typeUrl, value };
}
