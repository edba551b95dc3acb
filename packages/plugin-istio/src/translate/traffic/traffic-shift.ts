/** `http[].route`: weights for the requests that were sent to a port. */
import { present } from '../../present.ts';
import { destination } from '../route/target.ts';
import type { RouteField } from './field.ts';
import { headers } from './header-manipulation.ts';

export const trafficShift: RouteField<'trafficShift'> = {
  capabilities: {
    'route.shift': 'native',
    'route.shift.subset': 'native',
    'route.shift.cluster': 'native',
    'route.shift.headers': 'native',
    'route.shift.virtualDestination': 'native',
  },
  httpRouteOfPort: (targets, port) => ({
    route: targets.map((target) =>
      present({
        destination: destination(target, port),
        weight: target.weight,
        headers: target.headers === undefined ? undefined : headers(target.headers),
      }),
    ),
  }),
};
