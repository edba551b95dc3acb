import { probe, type TrafficFieldSamples } from './field.ts';

export const corsPolicy: TrafficFieldSamples<'corsPolicy'> = {
  probes: { 'route.cors': probe({ corsPolicy: { allowOrigins: [{ exact: 'https://shop.example' }] } }) },
  values: () => [
    {
      allowOrigins: [{ exact: 'https://shop.example' }, { prefix: 'https://a.' }, { regex: 'https://.*[.]example' }],
      allowMethods: ['GET'],
      allowHeaders: ['x-reader'],
      exposeHeaders: ['x-seen'],
      maxAge: '60s',
      allowCredentials: true,
    },
  ],
  conflict: [{ allowOrigins: [{ exact: 'https://a.example' }] }, { allowOrigins: [{ exact: 'https://b.example' }] }],
};
