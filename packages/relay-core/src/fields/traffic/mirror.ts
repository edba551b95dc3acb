/** spec.policy.mirror */
import type { RouteTarget } from '../views/route-target.ts';
import type { RequestField } from './field.ts';

export interface MirrorView {
  readonly target: Omit<RouteTarget, 'weight' | 'headers'>;
  readonly percentage?: number;
}

export const mirror: RequestField<'mirror', 'mirror', MirrorView, 'route.mirror'> = {
  scope: 'requests',
  viewName: 'mirror',
  capabilities: { 'route.mirror': 'spec.policy.mirror' },
  targets: ({ kubeService }) => [{ field: 'spec.policy.mirror.kubeService', service: kubeService }],
  requires: () => ['route.mirror'],
};
