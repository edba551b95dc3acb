import { probe, type TrafficFieldSamples } from './field.ts';

export const requestTimeout: TrafficFieldSamples<'requestTimeout'> = {
  probes: { 'route.timeout': probe({ requestTimeout: '3s' }) },
  values: () => ['7s'],
  conflict: ['7s', '8s'],
};
