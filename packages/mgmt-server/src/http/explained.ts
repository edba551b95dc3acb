/** `explain` in the running control plane: computed from the last finished commit, with what agents answered. */
import { type ExplainAnswer, explain } from '@meshrelay/relay-core';
import type { ApiContext } from './resources.ts';

/** @param object `[KIND/][[CLUSTER/]NAMESPACE/]NAME` */
export function explained(
  { fleet, outcomes, refusals }: Pick<ApiContext, 'fleet' | 'outcomes' | 'refusals'>,
  object: string,
): ExplainAnswer {
  return explain(fleet.controlPlane, object, {
    statusOf: (judged) => outcomes.statusOf(judged),
    refusalOf: (cluster, output) => refusals.ofOutput(cluster, output)?.reason,
  });
}
