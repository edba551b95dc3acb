import { probe, type TrafficFieldSamples } from './field.ts';

export const mtls: TrafficFieldSamples<'mtls'> = {
  probes: { 'connection.mtls': probe({ mtls: { istio: { tlsMode: 'ISTIO_MUTUAL' } } }) },
  values: () => [{ istio: { tlsMode: 'ISTIO_MUTUAL' } }],
  conflict: [{ istio: { tlsMode: 'ISTIO_MUTUAL' } }, { istio: { tlsMode: 'DISABLE' } }],
};
