import { probe, type TrafficFieldSamples } from './field.ts';

export const headerManipulation: TrafficFieldSamples<'headerManipulation'> = {
  probes: { 'route.headers': probe({ headerManipulation: { appendRequestHeaders: { 'x-shelf': 'new' } } }) },
  values: () => [
    {
      appendRequestHeaders: { 'x-shelf': 'new' },
      removeRequestHeaders: ['x-old'],
      appendResponseHeaders: { 'x-seen': 'yes' },
      removeResponseHeaders: ['server'],
    },
  ],
  conflict: [{ appendRequestHeaders: { 'x-seen': 'yes' } }, { appendRequestHeaders: { 'x-seen': 'no' } }],
};
