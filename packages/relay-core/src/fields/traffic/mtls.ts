/** spec.policy.mtls */
import type { TlsMode } from '@meshrelay/api';
import type { ConnectionField } from './field.ts';

export type MtlsMode = 'DISABLE' | 'SIMPLE' | 'MUTUAL';

/** The mode under its name in views. */
export function mtlsMode(mode: TlsMode): MtlsMode {
  return mode === 'ISTIO_MUTUAL' ? 'MUTUAL' : mode;
}

export const mtls: ConnectionField<'mtls', 'mtls', MtlsMode, 'connection.mtls'> = {
  scope: 'connections',
  viewName: 'mtls',
  capabilities: { 'connection.mtls': 'spec.policy.mtls' },
  emptyIsUnset: true,
  view: ({ istio }) => (istio === undefined ? undefined : mtlsMode(istio.tlsMode)),
  requires: () => ['connection.mtls'],
};
