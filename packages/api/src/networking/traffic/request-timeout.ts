// spec.policy.requestTimeout
import { duration } from '../../schema/scalar.ts';
import type { TrafficField } from './field.ts';

export const requestTimeout: TrafficField<string> = { schema: duration, examples: ['3s'] };
