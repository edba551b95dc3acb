/** Copies of requests; Envoy discards the answers. */
import { create, route } from '@meshrelay/envoy-api';
import type { MirrorView } from '@meshrelay/plugin';
import { runtimeShare } from '../messages.ts';
import { clusterOfTarget } from '../route/target.ts';
import type { RouteField } from './field.ts';

export const mirror: RouteField<'mirror'> = {
  capabilities: { 'route.mirror': 'native' },
  routeAction: (view) => ({ requestMirrorPolicies: [mirrorPolicy(view)] }),
};

function mirrorPolicy({ target, percentage }: MirrorView): route.RouteAction_RequestMirrorPolicy {
  return create(route.RouteAction_RequestMirrorPolicySchema, {
    cluster: clusterOfTarget(target),
    runtimeFraction: runtimeShare(percentage),
  });
}
