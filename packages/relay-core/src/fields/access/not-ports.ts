/** spec.notPorts */
import type { AccessField } from './field.ts';

export const notPorts: AccessField<'notPorts'> = {
  capabilities: { 'access.exclusions': 'spec.notPorts' },
  closed: { notPorts: [] },
  view: ({ notPorts = [] }) => ({ notPorts }),
  requires: ({ notPorts }) => (notPorts.length > 0 ? ['access.exclusions'] : []),
};
