/** Tokens that let a list go on where its last page ended. */
import { Buffer } from 'node:buffer';
import { badRequest } from '../errors/api-errors.ts';
import { isObject } from '../schema/json-values.ts';

/** Where a list goes on: after the last key of the page before, at the revision of the first page; -1 is the newest. */
export interface Continuation {
  readonly revision: number;
  /** The first key that may follow. */
  readonly start: string;
}

const VERSION = 'meta.k8s.io/v1';

/** The token clients send back. */
export function encodeContinue({ revision, start }: Continuation): string {
  return Buffer.from(JSON.stringify({ v: VERSION, rv: revision, start })).toString('base64url');
}

/** @throws StatusError 400 when it is no token of ours */
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
    // Reported below, whatever was wrong with it.
  }
  throw invalidToken(': illegal base64 data or no JSON object');
}

function invalidToken(why: string): ReturnType<typeof badRequest> {
  return badRequest(`invalid continue token: continue key is not valid${why}`);
}
