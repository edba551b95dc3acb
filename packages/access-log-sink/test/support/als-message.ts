/** Encodes decoded entries as the message that Envoy would send. */
import type { Buffer } from 'node:buffer';
import { Buffer as NodeBuffer } from 'node:buffer';
import type { AccessLogFields } from '../../src/entry/access-log-fields.ts';
import * as w from './wire-writer.ts';

/** Some fields of an entry. Addresses must be `HOST:PORT`; enum names must be in the lists below. */
export type SomeFields = Partial<AccessLogFields> & Pick<AccessLogFields, 'kind'>;

export const METHODS = ['', 'GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'CONNECT', 'OPTIONS', 'TRACE', 'PATCH'];
export const PROTOCOLS = ['', 'HTTP/1.0', 'HTTP/1.1', 'HTTP/2', 'HTTP/3'];
export const TLS = ['', 'TLSv1', 'TLSv1.1', 'TLSv1.2', 'TLSv1.3'];
export const FLAGS: Readonly<Record<string, number>> = { UH: 2, UT: 3, UF: 6, NR: 9, RL: 12, UAEX: 13, DC: 15, DR: 28 };
export const TYPES = ['', 'TcpUpstreamConnected', 'TcpPeriodic', 'TcpConnectionEnd', 'DownstreamStart'];

/** The sender, in the first message of a stream. */
export interface Sender {
  readonly node: string;
  readonly logName: string;
  readonly cluster?: string;
}

/** A message with these entries; consecutive entries of one kind form a list, as Envoy sends one. */
export function alsMessage(entries: readonly SomeFields[], identifier?: Sender): Buffer {
  return w.join(
    ...(identifier === undefined
      ? []
      : [
          w.message(
            1,
            w.message(1, w.text(1, identifier.node), w.text(2, identifier.cluster)),
            w.text(2, identifier.logName),
          ),
        ]),
    ...runs(entries).map((run) =>
      w.message(run[0]?.kind === 'http' ? 2 : 3, ...run.map((entry) => w.bytes(1, entryBytes(entry)))),
    ),
  );
}

function runs(entries: readonly SomeFields[]): SomeFields[][] {
  const found: SomeFields[][] = [];
  for (const entry of entries) {
    const last = found.at(-1);
    if (last?.[0]?.kind === entry.kind) last.push(entry);
    else found.push([entry]);
  }
  return found;
}

/** One entry, without its envelope. */
export function entryBytes(e: SomeFields): w.Bytes {
  const common = w.message(1, ...commonFields(e));
  if (e.kind === 'tcp') return w.join(common, w.message(2, w.number(1, e.receivedBytes), w.number(2, e.sentBytes)));
  return w.join(
    common,
    w.number(2, PROTOCOLS.indexOf(e.protocol ?? '')),
    w.message(3, ...requestFields(e)),
    w.message(4, ...responseFields(e)),
  );
}

function commonFields(e: SomeFields): w.Bytes[] {
  return [
    w.double(1, e.sampleRate),
    address(2, e.downstreamRemoteAddress),
    address(3, e.downstreamLocalAddress),
    tlsProperties(e),
    time(5, e.startTime),
    time(6, e.timeToLastRxByte),
    time(7, e.timeToFirstUpstreamTxByte),
    time(8, e.timeToLastUpstreamTxByte),
    time(9, e.timeToFirstUpstreamRxByte),
    time(10, e.timeToLastUpstreamRxByte),
    time(11, e.timeToFirstDownstreamTxByte),
    time(12, e.timeToLastDownstreamTxByte),
    address(13, e.upstreamRemoteAddress),
    address(14, e.upstreamLocalAddress),
    w.text(15, e.upstreamCluster),
    flags(e.responseFlags),
    w.text(18, e.upstreamTransportFailureReason),
    w.text(19, e.routeName),
    address(20, e.downstreamDirectRemoteAddress),
    ...Object.entries(e.filterState ?? {}).map(([name, { typeUrl, value }]) =>
      w.message(21, w.text(1, name), w.message(2, w.text(1, typeUrl), w.bytes(2, NodeBuffer.from(value, 'base64')))),
    ),
    w.texts(22, e.customTags),
    time(23, e.duration),
    w.number(24, e.upstreamRequestAttemptCount),
    w.text(25, e.connectionTerminationDetails),
    w.text(26, e.streamId),
    w.number(27, e.intermediate ? 1 : 0),
    w.text(28, e.downstreamTransportFailureReason),
    w.number(29, e.downstreamWireBytesSent),
    w.number(30, e.downstreamWireBytesReceived),
    w.number(31, e.upstreamWireBytesSent),
    w.number(32, e.upstreamWireBytesReceived),
    w.number(33, TYPES.indexOf(e.accessLogType ?? '')),
  ];
}

function requestFields(e: SomeFields): w.Bytes[] {
  return [
    w.number(1, METHODS.indexOf(e.method ?? '')),
    w.text(2, e.scheme),
    w.text(3, e.authority),
    wrapped(4, e.port),
    w.text(5, e.path),
    w.text(6, e.userAgent),
    w.text(7, e.referer),
    w.text(8, e.forwardedFor),
    w.text(9, e.requestId),
    w.text(10, e.originalPath),
    w.number(11, e.requestHeadersBytes),
    w.number(12, e.requestBodyBytes),
    w.texts(13, e.requestHeaders),
  ];
}

function responseFields(e: SomeFields): w.Bytes[] {
  return [
    wrapped(1, e.status),
    w.number(2, e.responseHeadersBytes),
    w.number(3, e.responseBodyBytes),
    w.texts(4, e.responseHeaders),
    w.texts(5, e.responseTrailers),
    w.text(6, e.responseCodeDetails),
  ];
}

function tlsProperties(e: SomeFields): w.Bytes {
  const { tlsVersion, tlsSni, localPrincipal, peerPrincipal, peerSubject } = e;
  if ([tlsVersion, tlsSni, localPrincipal, peerPrincipal, peerSubject].every((field) => field === undefined))
    return w.join();
  const certificate = (at: number, uri: string | undefined, subject?: string): w.Bytes =>
    uri === undefined && subject === undefined
      ? w.join()
      : w.message(at, uri === undefined ? w.join() : w.message(1, w.text(1, uri)), w.text(2, subject));
  return w.message(
    4,
    w.number(1, TLS.indexOf(tlsVersion ?? '')),
    w.text(3, tlsSni),
    certificate(4, localPrincipal),
    certificate(5, peerPrincipal, peerSubject),
  );
}

function flags(words: readonly string[] | undefined): w.Bytes {
  if (words === undefined) return w.join();
  const field = (word: string): w.Bytes =>
    word === 'UAEX' ? w.message(13, w.number(1, 1)) : w.number(FLAGS[word] as number, 1);
  return w.message(16, ...words.map(field));
}

function address(at: number, value: string | undefined): w.Bytes {
  if (value === undefined) return w.join();
  const colon = value.lastIndexOf(':');
  const host = value.slice(0, colon).replace(/^\[(.*)\]$/, '$1');
  return w.message(at, w.message(1, w.text(2, host), w.number(3, Number(value.slice(colon + 1)))));
}

/** Milliseconds as seconds and nanoseconds; exact to the microsecond. */
function time(at: number, milliseconds: number | undefined): w.Bytes {
  if (milliseconds === undefined) return w.join();
  const seconds = Math.floor(milliseconds / 1000);
  const nanos = Math.round((milliseconds - seconds * 1000) * 1000) * 1000;
  return w.message(at, w.number(1, seconds), w.number(2, nanos));
}

const wrapped = (at: number, value: number | undefined): w.Bytes =>
  value === undefined ? w.join() : w.message(at, w.number(1, value));
