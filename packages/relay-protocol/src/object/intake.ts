/** Validates received objects before they are parsed: sizes, names, hashes and the form of the bytes. */
import { Buffer, isUtf8 } from 'node:buffer';
import type { RelayLimits } from '../limits.ts';
import type { ObjectEnvelope, ObjectKind } from './envelope.ts';
import { hashOf } from './hash.ts';

/** Why an object is rejected. */
export interface IntakeFault {
  /** A code for programs. */
  readonly code: string;
  /** A sentence for users; contains nothing of the body. */
  readonly reason: string;
}

/** Whether the rejected object is a valid object that only cannot be transferred. */
export function isAbsence({ code }: Pick<IntakeFault, 'code'>): boolean {
  return code === 'OBJECT_TOO_LARGE' || code === 'OBJECT_TOO_DEEP' || code === 'CLUSTER_TOO_LARGE';
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;

/**
 * Namespaces and names of Kubernetes' least strict kinds (RBAC): path segments, which are never `.` or `..` and contain
 * no slash or percent sign.
 */
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
    return { code: 'OBJECT_NAME', reason: 'the namespace is not a DNS label; expected a Kubernetes namespace' };
  }
  if (!NAME.test(name)) return { code: 'OBJECT_NAME', reason: 'the name is not a valid Kubernetes object name' };
  return undefined;
}

/**
 * Checks a whole object. An empty body passes: only its name and hash were sent. The hash is recomputed, since content
 * with a known hash is never parsed twice, in any cluster.
 */
export function objectFault(envelope: ObjectEnvelope, limits: RelayLimits): IntakeFault | undefined {
  const { body, hash } = envelope;
  const fault = nameFault(envelope);
  if (fault !== undefined || body.byteLength === 0) return fault;
  if (body.byteLength > limits.objectBytes) return sizeFault(envelope, body.byteLength, limits);
  if (hashOf(body) !== hash) {
    return {
      code: 'OBJECT_HASH',
      reason: `the hash ${hash} does not match the bytes; expected the first 128 bits of their SHA-256`,
    };
  }
  if (body[0] !== OPEN_BRACE) return { code: 'OBJECT_MALFORMED', reason: 'the body is not a JSON object' };
  if (!isUtf8(body)) return { code: 'OBJECT_MALFORMED', reason: 'the body is not valid UTF-8' };
  if (depthOf(body, limits.depth) > limits.depth) {
    return { code: 'OBJECT_TOO_DEEP', reason: `the body is nested deeper than ${limits.depth} levels` };
  }
  return undefined;
}

/** The fault of an object that is too large. */
export function sizeFault(
  { kind, namespace, name }: ObjectKind & { readonly namespace: string; readonly name: string },
  bytes: number,
  limits: RelayLimits,
): IntakeFault {
  const reason = `${kind} ${namespace}/${name} has ${bytes} bytes, expected at most ${limits.objectBytes}; make it smaller or split it`;
  return { code: 'OBJECT_TOO_LARGE', reason };
}

/** Nesting depth of JSON; stops counting at `limit`. */
function depthOf(bytes: Uint8Array, limit: number): number {
  // A Buffer searches for a byte many times faster.
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

/** Number of bytes checked one by one before the rest of a text is searched with `indexOf`. */
const SHORT_TEXT = 64;

/** Position of the closing quote of the text that begins at `start`; the end of the body without one. */
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
