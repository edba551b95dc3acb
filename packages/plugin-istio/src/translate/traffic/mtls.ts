/** `trafficPolicy.tls`. */
import type { MtlsMode } from '@meshrelay/plugin';
import type { TrafficPolicyField } from './field.ts';

export const TLS_MODES: Readonly<Record<MtlsMode, string>> = {
  DISABLE: 'DISABLE',
  SIMPLE: 'SIMPLE',
  MUTUAL: 'ISTIO_MUTUAL',
};

export const mtls: TrafficPolicyField<'mtls'> = {
  capabilities: { 'connection.mtls': 'native' },
  trafficPolicy: (mode) => ({ tls: { mode: TLS_MODES[mode] } }),
};
