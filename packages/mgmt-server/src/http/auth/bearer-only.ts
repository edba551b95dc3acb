/** Admits only requests whose bearer token the guard admits, for every path. */
import type { Logger } from '@meshrelay/telemetry';
import type { MiddlewareHandler } from 'hono';
import type { Admission, Guard } from './guard.ts';

/** Longer than any token of a cluster or a provider. */
const MAX_TOKEN = 16_384;

export function bearerOnly(guard: Guard, logger: Logger): MiddlewareHandler {
  return async (c, next) => {
    const [, token] = /^Bearer +([\w.~+/=-]+)$/i.exec(c.req.header('authorization') ?? '') ?? [];
    if (token === undefined || token.length > MAX_TOKEN) {
      const error = 'this API requires authentication: send the header "Authorization: Bearer TOKEN"';
      return c.json({ error }, 401, { 'www-authenticate': 'Bearer' });
    }
    let admission: Admission;
    try {
      admission = await guard(token, requestedPath(c.req.path));
    } catch (error) {
      logger.error('the client cannot be authenticated', { error });
      return c.json({ error: 'the token cannot be verified now; try again later' }, 503);
    }
    if (admission.admitted) return next();
    const { reason, message } = admission;
    logger.info('API request refused', { path: c.req.path, reason, message });
    return reason === 'unknown'
      ? c.json({ error: message }, 401, { 'www-authenticate': 'Bearer error="invalid_token"' })
      : c.json({ error: message }, 403);
  };
}

/** The path for authorization: that of the collection, since ids contain slashes and have several encodings. */
function requestedPath(path: string): string {
  const [, collection] = /^\/api\/v1\/([a-z]+)(?:\/|$)/.exec(path) ?? [];
  return collection === undefined ? '/api/v1' : `/api/v1/${collection}`;
}
