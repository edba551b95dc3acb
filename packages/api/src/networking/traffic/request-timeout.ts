// spec.policy.requestTimeout

import type { SpecField } from '../../schema/field.ts';
import { duration } from '../../schema/scalar.ts';

export const requestTimeout: SpecField<string> = { schema: duration, examples: ['3s'] };
