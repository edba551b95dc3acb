/** `destination` in `http[].route` and `http[].mirrors`: where requests go. */
import type { RouteTarget } from '@meshrelay/plugin';
import { present } from '../../present.ts';

/**
 * The port is omitted if the destination has only one, with the number that the requests were sent to. Istio's
 * documentation says that the only port of a destination is the default. In fact Istio uses the number that the
 * requests were sent to, and answers 503 if the destination has no such port.
 */
export function destination(target: Omit<RouteTarget, 'weight' | 'headers'>, cameTo: number): Record<string, unknown> {
  return present({
    host: target.hostname,
    subset: target.subset?.name,
    port: target.onlyPort && target.port === cameTo ? undefined : { number: target.port },
  });
}

/** All requests to one host. `port` is given if its Service has several. */
export function only(host: string, port: number | undefined): Array<Record<string, unknown>> {
  return [{ destination: { host, ...(port === undefined ? {} : { port: { number: port } }) } }];
}
