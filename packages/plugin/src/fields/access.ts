/** Every field of `spec` of an AccessPolicy, as plugins see it. */
import type { AccessFieldName } from '@meshrelay/api';
import type { AccessRuleView } from '../views/mod.ts';

/** The member of {@link AccessRuleView} that each field sets, and its capabilities. The order is that of reports. */
export const ACCESS_FIELDS = {
  action: { member: 'action', capabilities: ['access.allow', 'access.deny', 'access.audit'] },
  sourceSelector: {
    member: 'sources',
    capabilities: ['access.sources.namespaces', 'access.sources.trustDomains'],
  },
  allowedPaths: { member: 'paths', capabilities: ['access.paths'] },
  allowedMethods: { member: 'methods', capabilities: ['access.methods'] },
  allowedPorts: { member: 'ports', capabilities: ['access.ports'] },
  notPaths: { member: 'notPaths', capabilities: ['access.exclusions'] },
  notMethods: { member: 'notMethods', capabilities: ['access.exclusions'] },
  notPorts: { member: 'notPorts', capabilities: ['access.exclusions'] },
  unauthenticated: { member: 'sources', capabilities: ['access.unauthenticated'] },
} as const;

type Fields = typeof ACCESS_FIELDS;

/** What policies say about the requests that a rule matches. */
export type AccessRuleParts = Omit<AccessRuleView, 'from'>;

/** The part of a rule that a field sets. */
export type AccessPartOf<F extends AccessFieldName> = Pick<AccessRuleParts, Fields[F]['member']>;

/** The capabilities of a field. */
export type AccessCapabilitiesOf<F extends AccessFieldName> = Fields[F]['capabilities'][number];

/** Capabilities of these fields. */
export type AccessCapability = AccessCapabilitiesOf<AccessFieldName>;
