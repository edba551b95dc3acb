/** The timeout of a request. */
import { duration } from '../messages.ts';
import type { RouteField } from './field.ts';

export const requestTimeout: RouteField<'requestTimeout'> = {
  capabilities: { 'route.timeout': 'native' },
  routeAction: (milliseconds) => ({ timeout: duration(milliseconds) }),
};
