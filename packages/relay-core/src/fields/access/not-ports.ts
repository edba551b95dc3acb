/** spec.notPorts */
import type { AccessField } from './field.ts';

export interface NotPortsView {
  readonly notPorts: readonly number[];
}

export const notPorts: AccessField<NotPortsView, 'access.exclusions'> = {
  capabilities: { 'access.exclusions': 'spec.notPorts' },
  closed: { notPorts: [] },
  view: ({ notPorts = [] }) => ({ notPorts }),
  requires: ({ notPorts }) => (notPorts.length > 0 ? ['access.exclusions'] : []),
};
