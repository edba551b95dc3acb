/** A destination for the proxies of its own mesh. */
import type { DestinationView, Output } from '@meshrelay/plugin';
import { accessObjects } from './access/access.ts';
import { retries } from './traffic/retries.ts';
import { trafficSplit } from './traffic/traffic-shift.ts';
import { upstreamTrafficSetting } from './upstream-traffic-setting.ts';

export function translateDestination(view: DestinationView, out: Output): void {
  trafficSplit(view, out);
  upstreamTrafficSetting(view, out);
  const callers = accessObjects(view, out);
  retries(view, callers, out);
}
