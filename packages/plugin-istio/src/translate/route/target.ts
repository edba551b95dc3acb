/** `destination` in `http[].route` and `http[].mirrors`: where requests go. */
import type { RouteTarget } from '@meshrelay/relay-core';
import { present } from '../../present.ts';

/**
 * The port is left out where the destination has just one, of the number that the requests came to. Istio's documentation takes the only port
 * of a destination wherever none is named; Istio itself takes the number that the requests came to, and answers 503 where there is none such.
 */
export function destination(target: Omit<RouteTarget, 'weight' | 'headers'>, cameTo: number): Record<string, unknown> {
  return present({
    host: target.hostname,
    subset: target.subset?.name,
    port: target.onlyPort && target.port === cameTo ? undefined : { number: target.port },
  });
}

/** All requests to one host. `port` is given where its Service has more than one. */
export function only(host: string, port: number | undefined): Array<Record<string, unknown>> {
  return [{ destination: { host, ...(port === undefined ? {} : { port: { number: port } }) } }];
}
