import { probe, rules, type TrafficFieldSamples } from './field.ts';

/** A limit of the same rate, which applies if the mesh does not support the rest. */
const plain = [rules({ localRateLimit: { requestsPerUnit: 10, unit: 'SECOND' } })];

export const localRateLimit: TrafficFieldSamples<'localRateLimit'> = {
  probes: {
    'route.localRateLimit': probe({ localRateLimit: { requestsPerUnit: 10, unit: 'SECOND' } }),
    'route.localRateLimit.perDay': {
      asks: [rules({ localRateLimit: { requestsPerUnit: 10, unit: 'DAY' } })],
      without: plain,
      refused: [],
    },
    'route.localRateLimit.burstBelowRate': {
      asks: [rules({ localRateLimit: { requestsPerUnit: 10, unit: 'SECOND', burst: 5 } })],
      without: plain,
      refused: plain,
    },
  },
  values: () => [
    { requestsPerUnit: 30, unit: 'SECOND' },
    { requestsPerUnit: 30, unit: 'MINUTE', burst: 40 },
  ],
  conflict: [
    { requestsPerUnit: 31, unit: 'SECOND' },
    { requestsPerUnit: 32, unit: 'SECOND' },
  ],
};
