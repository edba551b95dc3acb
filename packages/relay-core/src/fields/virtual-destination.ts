/** `spec` of a VirtualDestination. */

/** Each capability with the path in the policy that reports name. */
export const VIRTUAL_DESTINATION_CAPABILITIES = {
  'virtualDestination.static': 'spec.static',
  'virtualDestination.localized': 'spec.localized',
  'virtualDestination.localized.directives': 'spec.localized.failoverDirectives',
  'virtualDestination.sameHostname': 'spec.hostname',
} as const;

/** The members of a VirtualDestinationView that need capabilities. */
interface VirtualDestinationMembers {
  readonly failover: { readonly kind: 'static' | 'localized' };
  readonly sameHostname?: object;
}

/** What a virtual destination needs. Core drops an unsupported one as a whole. */
export function virtualDestinationRequirements({
  failover,
  sameHostname,
}: VirtualDestinationMembers): Array<keyof typeof VIRTUAL_DESTINATION_CAPABILITIES> {
  return [
    `virtualDestination.${failover.kind}`,
    ...(sameHostname === undefined ? [] : (['virtualDestination.sameHostname'] as const)),
  ];
}
