// spec.policy.headerManipulation

import type { SpecField } from '../../schema/field.ts';
import { type HeaderManipulation, headerManipulation as schema } from '../../shared/http.ts';

export const headerManipulation: SpecField<HeaderManipulation> = {
  schema,
  examples: [
    {
      removeResponseHeaders: ['server'],
      appendResponseHeaders: { 'x-served-by': 'reviews' },
      removeRequestHeaders: ['x-debug'],
      appendRequestHeaders: { 'x-tenant': 'shop' },
    },
  ],
};
