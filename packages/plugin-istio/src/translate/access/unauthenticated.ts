/** A rule without `from` matches all callers, with and without an identity. */
import type { AccessField } from './field.ts';

export const unauthenticated: AccessField<'unauthenticated'> = {
  capabilities: { 'access.unauthenticated': 'native' },
};
