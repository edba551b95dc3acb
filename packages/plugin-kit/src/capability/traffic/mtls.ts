import { probe, type TrafficFieldSamples } from './field.ts';

export const mtls: TrafficFieldSamples<'mtls'> = {
  probes: { 'connection.mtls': probe({ mtls: { istio: { tlsMode: 'DISABLE' } } }) },
  values: () => [{ istio: { tlsMode: 'DISABLE' } }],
  conflict: [{ istio: { tlsMode: 'DISABLE' } }, { istio: { tlsMode: 'ISTIO_MUTUAL' } }],
};
