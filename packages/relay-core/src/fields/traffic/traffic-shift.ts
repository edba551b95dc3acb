/** spec.policy.trafficShift */
import type { TrafficCapabilitiesOf } from '@meshrelay/plugin';
import type { TrafficField } from './field.ts';

/** Absent in a view: all requests go to the destination itself. */
export const trafficShift: TrafficField<'trafficShift'> = {
  capabilities: {
    'route.shift': 'spec.policy.trafficShift',
    'route.shift.subset': 'spec.policy.trafficShift',
    'route.shift.cluster': 'spec.policy.trafficShift',
    'route.shift.headers': 'spec.policy.trafficShift',
    'route.shift.virtualDestination': 'spec.policy.trafficShift',
  },
  targets: ({ destinations = [] }) =>
    destinations.flatMap(({ kubeService, virtualDestination }, position) => {
      const field = `spec.policy.trafficShift.destinations[${position}]`;
      return [
        ...(kubeService === undefined ? [] : [{ field: `${field}.kubeService`, service: kubeService }]),
        ...(virtualDestination === undefined ? [] : [{ field: `${field}.virtualDestination`, virtualDestination }]),
      ];
    }),
  requires: (targets) => {
    const needed: TrafficCapabilitiesOf<'trafficShift'>[] = ['route.shift'];
    if (targets.some(({ subset }) => subset !== undefined)) needed.push('route.shift.subset');
    if (targets.some(({ headers }) => headers !== undefined)) needed.push('route.shift.headers');
    if (targets.some(({ remote }) => remote)) needed.push('route.shift.cluster');
    if (targets.some(({ virtual }) => virtual === true)) needed.push('route.shift.virtualDestination');
    return needed;
  },
};
