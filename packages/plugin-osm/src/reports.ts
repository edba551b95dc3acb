/** How the plugin tells the owners of policies what OSM does otherwise than asked. */
import type { PolicyRef } from '@meshrelay/api';
import type { DestinationFacts, Output } from '@meshrelay/relay-core';

/** Something of a policy that is not in force. */
export interface Shortfall {
  readonly code: string;
  /** Of the policy's spec. */
  readonly field: string;
  readonly message: string;
}

/** Tells each policy of something that is not in force: it is DEGRADED. */
export function fallShort(out: Output, policies: Iterable<PolicyRef>, shortfall: Shortfall): void {
  for (const policy of policies) out.report(policy, { ...shortfall, severity: 'warning' });
}

/** A Service in words. */
export function serviceText({ namespace, name, cluster }: DestinationFacts): string {
  return `Service ${namespace}/${name} of cluster ${cluster}`;
}
