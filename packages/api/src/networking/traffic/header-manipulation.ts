// spec.policy.headerManipulation
import { type HeaderManipulation, headerManipulation as schema } from '../../shared/http.ts';
import type { TrafficField } from './field.ts';

export const headerManipulation: TrafficField<HeaderManipulation> = {
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
