/** What keeps an API without authentication to this machine. */
import type { MiddlewareHandler } from 'hono';

/** Whether only this machine can reach an address. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(host);
}

/**
 * Whether a request was made to this machine by name or address. A page of the open web can reach a loopback port through a name of its own
 * that resolves to 127.0.0.1, and would then be of the same origin; its Host header gives it away.
 */
export function isLocalHostHeader(host: string | undefined): boolean {
  const name = /^(\[[^\]]*\]|[^:]*)(?::\d{1,5})?$/.exec(host ?? '')?.[1] ?? '';
  return isLoopback(name.replace(/^\[(.*)\]$/, '$1').toLowerCase());
}

/** Refuses requests that were made by another name. */
export const localOnly: MiddlewareHandler = async (c, next) => {
  if (!isLocalHostHeader(c.req.header('host')))
    return c.json({ error: 'this API answers requests to localhost only' }, 403);
  return next();
};
