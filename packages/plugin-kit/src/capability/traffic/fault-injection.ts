import { probe, type TrafficFieldSamples } from './field.ts';

export const faultInjection: TrafficFieldSamples<'faultInjection'> = {
  probes: { 'route.fault': probe({ faultInjection: { fixedDelay: '2s', percentage: 50 } }) },
  values: () => [
    { fixedDelay: '3s', percentage: 10 },
    { abort: { httpStatus: 503 }, percentage: 10 },
  ],
  conflict: [
    { fixedDelay: '3s', percentage: 10 },
    { fixedDelay: '3s', percentage: 20 },
  ],
};
