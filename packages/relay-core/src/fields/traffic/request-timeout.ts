/** spec.policy.requestTimeout */
import { milliseconds } from '../values.ts';
import type { TrafficField } from './field.ts';

/** The view has milliseconds. */
export const requestTimeout: TrafficField<'requestTimeout'> = {
  capabilities: { 'route.timeout': 'spec.policy.requestTimeout' },
  view: milliseconds,
  requires: () => ['route.timeout'],
};
