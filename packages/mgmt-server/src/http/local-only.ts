/** Restricts an API without authentication to this machine. */
import type { MiddlewareHandler } from 'hono';

/** Whether only this machine can reach an address. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(host);
}

/**
 * Whether the Host header names this machine. A web page can reach a loopback port through its own host name that
 * resolves to 127.0.0.1, and would be same-origin (DNS rebinding). Its Host header reveals it.
 */
export function isLocalHostHeader(host: string | undefined): boolean {
  const name = /^(\[[^\]]*\]|[^:]*)(?::\d{1,5})?$/.exec(host ?? '')?.[1] ?? '';
  return isLoopback(name.replace(/^\[(.*)\]$/, '$1').toLowerCase());
}

/** Rejects requests with any other Host header. */
export const localOnly: MiddlewareHandler = async (c, next) => {
  if (!isLocalHostHeader(c.req.header('host')))
    return c.json({ error: 'this API answers requests to localhost only' }, 403);
  return next();
};
