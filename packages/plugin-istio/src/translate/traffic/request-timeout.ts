/** `http[].timeout`. */
import { duration } from '../../present.ts';
import type { RouteField } from './field.ts';

export const requestTimeout: RouteField<'requestTimeout'> = {
  capabilities: { 'route.timeout': 'native' },
  httpRoute: (milliseconds) => ({ timeout: duration(milliseconds) }),
};
