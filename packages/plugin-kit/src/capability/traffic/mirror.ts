import { NEW_BOOKS, probe, type TrafficFieldSamples } from './field.ts';

export const mirror: TrafficFieldSamples<'mirror'> = {
  probes: { 'route.mirror': probe({ mirror: { kubeService: NEW_BOOKS } }) },
  values: () => [{ kubeService: NEW_BOOKS, percentage: 50 }],
  conflict: [
    { kubeService: NEW_BOOKS, percentage: 50 },
    { kubeService: NEW_BOOKS, percentage: 51 },
  ],
};
