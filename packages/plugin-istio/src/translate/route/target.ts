/** `http[].route` and `http[].mirrors`: where requests go. */
import type { MirrorView, RouteTarget } from '@meshrelay/relay-core';
import { present } from '../../present.ts';
import { headers } from './headers.ts';

/** The port is left out where the destination has just one. */
function destination(target: Omit<RouteTarget, 'weight' | 'headers'>): Record<string, unknown> {
  return present({
    host: target.hostname,
    subset: target.subset?.name,
    port: target.onlyPort ? undefined : { number: target.port },
  });
}

/** All requests to one host. `port` is given where its Service has more than one. */
export function only(host: string, port: number | undefined): Array<Record<string, unknown>> {
  return [{ destination: { host, ...(port === undefined ? {} : { port: { number: port } }) } }];
}

/** Shares of the requests to several. */
export function weighted(targets: readonly RouteTarget[]): Array<Record<string, unknown>> {
  return targets.map((target) =>
    present({
      destination: destination(target),
      weight: target.weight,
      headers: target.headers === undefined ? undefined : headers(target.headers),
    }),
  );
}

export function mirrors({ target, percentage }: MirrorView): Array<Record<string, unknown>> {
  return [
    present({
      destination: destination(target),
      percentage: percentage === undefined ? undefined : { value: percentage },
    }),
  ];
}
