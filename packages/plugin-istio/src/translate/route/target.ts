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

/** All requests to one destination. */
export function only(target: RouteTarget): Array<Record<string, unknown>> {
  return [{ destination: destination(target) }];
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
