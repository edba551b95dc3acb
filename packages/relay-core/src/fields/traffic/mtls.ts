/** spec.policy.mtls */

import type { TlsMode } from '@meshrelay/api';
import type { MtlsMode } from '@meshrelay/plugin';
import type { TrafficField } from './field.ts';

/** The mode under its name in views. */
export function mtlsMode(mode: TlsMode): MtlsMode {
  return mode === 'ISTIO_MUTUAL' ? 'MUTUAL' : mode;
}

export const mtls: TrafficField<'mtls'> = {
  capabilities: { 'connection.mtls': 'spec.policy.mtls' },
  emptyIsUnset: true,
  view: ({ istio }) => (istio === undefined ? undefined : mtlsMode(istio.tlsMode)),
  requires: () => ['connection.mtls'],
};
