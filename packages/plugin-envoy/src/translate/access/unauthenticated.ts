/** The principal that matches any caller. */
import { create, rbac } from '@meshrelay/envoy-api';
import type { AccessField } from './field.ts';

export const unauthenticated: AccessField<'unauthenticated'> = {
  capabilities: { 'access.unauthenticated': 'native' },
};

export function anyone(): rbac.Principal {
  return create(rbac.PrincipalSchema, { identifier: { case: 'any', value: true } });
}
