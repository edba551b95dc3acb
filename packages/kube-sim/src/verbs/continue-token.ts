/** Tokens with which a list continues after its last page. */
import { Buffer } from 'node:buffer';
import { badRequest } from '../errors/api-errors.ts';
import { isObject } from '../schema/json-values.ts';

/**
 * Position of the next page: after the last key of the previous page, at the revision of the first page; -1 is the
 * newest.
 */
export interface Continuation {
  readonly revision: number;
  /** The first possible key of the next page. */
  readonly start: string;
}

const VERSION = 'meta.k8s.io/v1';

/** The token that clients send back. */
export function encodeContinue({ revision, start }: Continuation): string {
  return Buffer.from(JSON.stringify({ v: VERSION, rv: revision, start })).toString('base64url');
}

/** @throws StatusError 400 when the token is invalid */
export function decodeContinue(token: string): Continuation {
  const value = parse(token);
  if (value['v'] !== VERSION) throw invalidToken(': server does not recognize this encoded version');
  const { rv, start } = value;
  if (typeof rv !== 'number' || rv === 0)
    throw invalidToken(`: incorrect encoded start resourceVersion (version ${VERSION})`);
  if (typeof start !== 'string' || start === '') throw invalidToken(`: encoded start key empty (version ${VERSION})`);
  return { revision: rv, start };
}

function parse(token: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(Buffer.from(token, 'base64url').toString());
    if (isObject(value as never)) return value as Record<string, unknown>;
  } catch {
    // Reported below, for any fault.
  }
  throw invalidToken(': illegal base64 data or no JSON object');
}

function invalidToken(why: string): ReturnType<typeof badRequest> {
  return badRequest(`invalid continue token: continue key is not valid${why}`);
}
