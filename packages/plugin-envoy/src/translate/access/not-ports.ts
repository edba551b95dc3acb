/** Each port has filters of its own. */
import type { AccessField } from './field.ts';

export const notPorts: AccessField<'notPorts'> = {
  capabilities: { 'access.exclusions': 'native' },
  isForPort: (rule, port) => !rule.notPorts.includes(port),
};
