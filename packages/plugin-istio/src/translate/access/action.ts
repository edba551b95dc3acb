/**
 * `action`. AUDIT becomes an ALLOW in dry-run mode: proxies log the requests that it would reject, and reject none of
 * them. (Istio's own AUDIT action logs matching requests, which is the opposite.)
 */
import type { AccessAction } from '@meshrelay/plugin';
import type { AccessField } from './field.ts';

/** The AuthorizationPolicy for the rules of an action. */
export const OBJECTS: Readonly<
  Record<
    AccessAction,
    {
      readonly nameEnding: string;
      readonly action: 'ALLOW' | 'DENY';
      readonly annotations?: Readonly<Record<string, string>>;
    }
  >
> = {
  ALLOW: { nameEnding: '', action: 'ALLOW' },
  DENY: { nameEnding: '.deny', action: 'DENY' },
  AUDIT: { nameEnding: '.audit', action: 'ALLOW', annotations: { 'istio.io/dry-run': 'true' } },
};

export const action: AccessField<'action'> = {
  capabilities: { 'access.allow': 'native', 'access.deny': 'native', 'access.audit': 'native' },
};
