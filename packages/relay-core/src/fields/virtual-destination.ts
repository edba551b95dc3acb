/** `spec` of a VirtualDestination. */
import type { VirtualDestinationView } from '../plugin/views/virtual-destination.ts';

/** Each capability with the path in the policy that reports name. */
export const VIRTUAL_DESTINATION_CAPABILITIES = {
  'virtualDestination.static': 'spec.static',
  'virtualDestination.localized': 'spec.localized',
  'virtualDestination.localized.directives': 'spec.localized.failoverDirectives',
  'virtualDestination.sameHostname': 'spec.hostname',
} as const;

/** What a virtual destination needs. Core drops an unsupported one as a whole. */
export function virtualDestinationRequirements({
  failover,
  sameHostname,
}: VirtualDestinationView): Array<keyof typeof VIRTUAL_DESTINATION_CAPABILITIES> {
  return [
    `virtualDestination.${failover.kind}`,
    ...(sameHostname === undefined ? [] : (['virtualDestination.sameHostname'] as const)),
  ];
}
