/** spec.allowedPorts */
import type { AccessField } from './field.ts';

export interface PortsView {
  /** Empty: any. */
  readonly ports: readonly number[];
}

export const allowedPorts: AccessField<PortsView, 'access.ports'> = {
  capabilities: { 'access.ports': 'spec.allowedPorts' },
  closed: { ports: [] },
  view: ({ allowedPorts = [] }) => ({ ports: allowedPorts }),
  requires: ({ ports }) => (ports.length > 0 ? ['access.ports'] : []),
};
