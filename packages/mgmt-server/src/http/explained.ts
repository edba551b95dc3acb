/** `explain` in the running control plane: computed from the last finished commit and the agents' answers. */
import { type ExplainAnswer, explain } from '@meshrelay/relay-core';
import { notSentTo } from '../status/not-sent.ts';
import type { ApiContext } from './resources.ts';

type Context = Pick<ApiContext, 'fleet' | 'outcomes' | 'rejections' | 'connections' | 'outputs' | 'safeMode'>;

/** @param object `[KIND/][[CLUSTER/]NAMESPACE/]NAME` */
export function explained(context: Context, object: string): ExplainAnswer {
  const { fleet, outcomes, rejections } = context;
  return explain(fleet.controlPlane, object, {
    statusOf: (evaluated) => outcomes.statusOf(evaluated),
    rejectionOf: (cluster, output) => rejections.ofOutput(cluster, output)?.reason,
    notSentTo: (cluster) => notSentTo(cluster, context)?.message ?? outOfReach(cluster, context),
  });
}

/** Why the server cannot send anything to an agent. */
function outOfReach(cluster: string, { connections }: Context): string | undefined {
  if (connections.unheard(cluster) !== undefined)
    return `whether the agent of cluster ${cluster} is connected is unknown; meshctl cluster list shows the reason`;
  const { push, pull } = connections.of(cluster);
  return push && pull ? undefined : `the agent of cluster ${cluster} is not connected`;
}
