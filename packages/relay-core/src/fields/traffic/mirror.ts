/** spec.policy.mirror */
import type { TrafficField } from './field.ts';

export const mirror: TrafficField<'mirror'> = {
  capabilities: { 'route.mirror': 'spec.policy.mirror' },
  targets: ({ kubeService }) => [{ field: 'spec.policy.mirror.kubeService', service: kubeService }],
  requires: () => ['route.mirror'],
};
