/** `http[].mirrors`: copies of the requests that were sent to a port. */
import { percent, present } from '../../present.ts';
import { destination } from '../route/target.ts';
import type { RouteField } from './field.ts';

export const mirror: RouteField<'mirror'> = {
  capabilities: { 'route.mirror': 'native' },
  httpRouteOfPort: ({ target, percentage }, port) => ({
    mirrors: [present({ destination: destination(target, port), percentage: percent(percentage) })],
  }),
};
