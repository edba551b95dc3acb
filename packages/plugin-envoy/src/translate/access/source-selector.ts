/** The callers that a rule matches, as RBAC filters identify them: by the identity in their certificates. */
import { create, rbac } from '@meshrelay/envoy-api';
import type { AccessSources } from '@meshrelay/plugin';
import type { AccessField } from './field.ts';
import { anyone } from './unauthenticated.ts';

export const sourceSelector: AccessField<'sourceSelector'> = {
  capabilities: { 'access.sources.namespaces': 'native', 'access.sources.trustDomains': 'native' },
};

/** Empty if the rule matches no caller: Envoy rejects a policy without a principal. */
export function principalsOf(sources: AccessSources): rbac.Principal[] {
  if (sources.kind === 'anyone') return [anyone()];
  return sources.principals.map((principal) => {
    const uri = `spiffe://${principal}`;
    return create(rbac.PrincipalSchema, {
      identifier: {
        case: 'authenticated',
        value: {
          principalName: {
            matchPattern: uri.endsWith('*')
              ? { case: 'prefix', value: uri.slice(0, -1) }
              : { case: 'exact', value: uri },
          },
        },
      },
    });
  });
}
