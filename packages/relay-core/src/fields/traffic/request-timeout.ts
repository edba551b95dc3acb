/** spec.policy.requestTimeout */
import { milliseconds } from '../values.ts';
import type { RequestField } from './field.ts';

/** The view has milliseconds. */
export const requestTimeout: RequestField<'requestTimeout', 'timeoutMs', number, 'route.timeout'> = {
  scope: 'requests',
  viewName: 'timeoutMs',
  capabilities: { 'route.timeout': 'spec.policy.requestTimeout' },
  view: milliseconds,
  requires: () => ['route.timeout'],
};
