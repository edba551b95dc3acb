/** Authenticates a connection's certificate or a request's bearer token. */
import type { PeerCertificate, TLSSocket } from 'node:tls';
import { forbiddenPath, forbiddenResource, unauthorized } from '../errors/api-errors.ts';
import { type ResourceRoute, type Route, verbOf } from '../http/route.ts';
import { API_AUDIENCE, type TokenIssuer } from './token-issuer.ts';
import { ANONYMOUS, authenticated, type User } from './user.ts';

/** Data to authenticate callers. */
export interface Credentials {
  /** Bearer tokens that never expire. */
  readonly tokens: ReadonlyMap<string, User>;
  readonly issuer: TokenIssuer;
}

/**
 * The caller of a request: by certificate, else by token, else anonymous.
 * @throws StatusError 401 for an unknown token
 */
export function authenticate(socket: TLSSocket, authorization: string | undefined, credentials: Credentials): User {
  if (socket.authorized === true) return certificateUser(socket.getPeerCertificate());
  const token = /^Bearer\s+(\S+)\s*$/i.exec(authorization ?? '')?.[1];
  if (token === undefined) return ANONYMOUS;
  const known = credentials.tokens.get(token);
  if (known !== undefined) return known;
  const verified = credentials.issuer.verify(token);
  if (verified?.audiences.includes(API_AUDIENCE) !== true) throw unauthorized();
  return verified.user;
}

/** The common name is the user, the organizations are the groups. */
function certificateUser(certificate: PeerCertificate): User {
  const { CN, O } = certificate.subject as unknown as { CN?: string; O?: string | string[] };
  const groups = O === undefined ? [] : Array.isArray(O) ? O : [O];
  return authenticated(CN ?? '', groups);
}

const PUBLIC_PATHS = new Set(['/healthz', '/livez', '/readyz', '/version', '/version/']);
/**
 * Every authenticated caller may do everything (RBAC objects are stored but not evaluated); others see only the public
 * paths.
 * @throws StatusError 403
 */
export function authorize(user: User, method: string, path: string, route: Route, query: URLSearchParams): void {
  if (user.name !== ANONYMOUS.name || PUBLIC_PATHS.has(path)) return;
  if (route.kind !== 'resource') throw forbiddenPath(user.name, method.toLowerCase(), path);
  throw forbiddenResource(route, route.name, describe(user, verbOf(method, route, query), route));
}

function describe(user: User, verb: string, route: ResourceRoute): string {
  const resource = route.subresource === '' ? route.plural : `${route.plural}/${route.subresource}`;
  const where = route.namespace === '' ? 'at the cluster scope' : `in the namespace "${route.namespace}"`;
  return `User "${user.name}" cannot ${verb} resource "${resource}" in API group "${route.group}" ${where}`;
}
