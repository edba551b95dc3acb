import { probe, type TrafficFieldSamples } from './field.ts';

export const csrf: TrafficFieldSamples<'csrf'> = {
  probes: { 'route.csrf': probe({ csrf: { filterEnabled: true } }) },
  values: () => [{ filterEnabled: true, percentage: 40, additionalOrigins: [{ exact: 'shop.example' }] }],
  conflict: [{ filterEnabled: true, percentage: 41 }, { filterEnabled: false }],
};
