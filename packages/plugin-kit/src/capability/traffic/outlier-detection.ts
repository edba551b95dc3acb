import { probe, type TrafficFieldSamples } from './field.ts';

export const outlierDetection: TrafficFieldSamples<'outlierDetection'> = {
  probes: { 'connection.outlierDetection': probe({ outlierDetection: { consecutiveErrors: 3 } }) },
  values: () => [{ consecutiveErrors: 6, interval: '20s', baseEjectionTime: '40s', maxEjectionPercent: 60 }],
  conflict: [{ consecutiveErrors: 6 }, { consecutiveErrors: 7 }],
};
