/** The border control of received objects: sizes, names, hashes and the shape of the bytes, before anyone parses them. */
import { Buffer, isUtf8 } from 'node:buffer';
import type { RelayLimits } from '../limits.ts';
import type { ObjectEnvelope, ObjectKind } from './envelope.ts';
import { hashOf } from './hash.ts';

/** Why an object is not taken. */
export interface IntakeFault {
  /** A word for programs. */
  readonly code: string;
  /** A sentence for people; holds nothing of the body. */
  readonly reason: string;
}

/** Whether what was refused is an object like any other, that only does not get through. */
export function isAbsence({ code }: Pick<IntakeFault, 'code'>): boolean {
  return code === 'OBJECT_TOO_LARGE' || code === 'OBJECT_TOO_DEEP' || code === 'CLUSTER_TOO_LARGE';
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;

/** Namespaces and names as Kubernetes' looser kinds (RBAC) have them: path segments, which are never `.` or `..` or hold a slash or percent sign. */
const NAME = /^(?!\.{1,2}$)[^/%\s\p{Cc}]{1,253}$/u;
const NAMESPACE = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;

/** Checks an object's namespace and name. */
export function nameFault({
  namespace,
  name,
}: {
  readonly namespace: string;
  readonly name: string;
}): IntakeFault | undefined {
  if (namespace !== '' && !NAMESPACE.test(namespace)) {
    return { code: 'OBJECT_NAME', reason: 'the namespace is no DNS label; expected a Kubernetes namespace' };
  }
  if (!NAME.test(name)) return { code: 'OBJECT_NAME', reason: 'the name is no Kubernetes object name' };
  return undefined;
}

/**
 * Checks a whole object. An empty body passes unread: only its name and hash are told. The hash is computed anew, since what is known
 * by hash is never parsed twice, in whatever cluster it is.
 */
export function objectFault(envelope: ObjectEnvelope, limits: RelayLimits): IntakeFault | undefined {
  const { body, hash } = envelope;
  const fault = nameFault(envelope);
  if (fault !== undefined || body.byteLength === 0) return fault;
  if (body.byteLength > limits.objectBytes) return sizeFault(envelope, body.byteLength, limits);
  if (hashOf(body) !== hash) {
    return {
      code: 'OBJECT_HASH',
      reason: `the hash ${hash} is not that of the bytes; expected their SHA-256's first 128 bits`,
    };
  }
  if (body[0] !== OPEN_BRACE) return { code: 'OBJECT_MALFORMED', reason: 'the body is no JSON object' };
  if (!isUtf8(body)) return { code: 'OBJECT_MALFORMED', reason: 'the body is not valid UTF-8' };
  if (depthOf(body, limits.depth) > limits.depth) {
    return { code: 'OBJECT_TOO_DEEP', reason: `the body is nested deeper than ${limits.depth} levels` };
  }
  return undefined;
}

/** Says that an object is too large. */
export function sizeFault(
  { kind, namespace, name }: ObjectKind & { readonly namespace: string; readonly name: string },
  bytes: number,
  limits: RelayLimits,
): IntakeFault {
  const reason = `${kind} ${namespace}/${name} has ${bytes} bytes, expected at most ${limits.objectBytes}; make it smaller or split it`;
  return { code: 'OBJECT_TOO_LARGE', reason };
}

/** How deep JSON is nested; stops counting beyond `limit`. */
function depthOf(bytes: Uint8Array, limit: number): number {
  // A Buffer searches for a byte many times as fast.
  const body = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let depth = 0;
  let deepest = 0;
  for (let at = 0; at < body.length; at++) {
    const byte = body[at];
    if (byte === QUOTE) at = stringEnd(body, at + 1);
    else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) {
      depth++;
      if (depth > deepest) deepest = depth;
      if (deepest > limit) return deepest;
    } else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) depth--;
  }
  return deepest;
}

/** As many bytes are looked at one by one before the rest of a text is searched at once. */
const SHORT_TEXT = 64;

/** Where the text that begins at `start` has its closing quote; the end of the body where it has none. */
function stringEnd(body: Buffer, start: number): number {
  const near = Math.min(body.length, start + SHORT_TEXT);
  let at = start;
  for (; at < near; at++) {
    const byte = body[at];
    if (byte === QUOTE) return at;
    if (byte === BACKSLASH) at++;
  }
  for (;;) {
    const quote = body.indexOf(QUOTE, at);
    if (quote < 0) return body.length;
    let slashes = 0;
    while (quote - slashes - 1 >= at && body[quote - slashes - 1] === BACKSLASH) slashes++;
    if (slashes % 2 === 0) return quote;
    at = quote + 1;
  }
}
