/** Reports to policies how OSM deviates from them. */
import type { DestinationFacts, Output, PolicyRef } from '@meshrelay/plugin';

/** A part of a policy that is not effective. */
export interface Shortfall {
  readonly code: string;
  /** Field of the policy's spec. */
  readonly field: string;
  readonly message: string;
}

/** Reports a part that is not effective to each policy, with state DEGRADED. */
export function fallShort(out: Output, policies: Iterable<PolicyRef>, shortfall: Shortfall): void {
  for (const policy of policies) out.report(policy, { ...shortfall, severity: 'warning' });
}

/** A Service for messages. */
export function serviceText({ namespace, name, cluster }: DestinationFacts): string {
  return `Service ${namespace}/${name} of cluster ${cluster}`;
}
