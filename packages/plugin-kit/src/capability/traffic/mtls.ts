import { probe, type TrafficFieldSamples } from './field.ts';

export const mtls: TrafficFieldSamples<'mtls'> = {
  probes: { 'connection.mtls': probe({ mtls: { istio: { tlsMode: 'SIMPLE' } } }) },
  values: () => [{ istio: { tlsMode: 'SIMPLE' } }],
  conflict: [{ istio: { tlsMode: 'DISABLE' } }, { istio: { tlsMode: 'SIMPLE' } }],
};
