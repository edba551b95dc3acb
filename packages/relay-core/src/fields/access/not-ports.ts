/** spec.notPorts */
import type { AccessField } from './field.ts';
import { remainingOfExclusions } from './remaining.ts';

export const notPorts: AccessField<'notPorts'> = {
  capabilities: { 'access.exclusions': 'spec.notPorts' },
  closed: { notPorts: [] },
  view: ({ notPorts = [] }) => ({ notPorts }),
  requires: ({ notPorts }) => (notPorts.length > 0 ? ['access.exclusions'] : []),
  remaining: (_allow, deny) => remainingOfExclusions(deny.notPorts),
  appliesToPort: ({ notPorts }, port) => !notPorts.includes(port),
};
