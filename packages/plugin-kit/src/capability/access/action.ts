import { access } from '../probe.ts';
import type { AccessFieldSamples } from './field.ts';

export const action: AccessFieldSamples<'action'> = {
  probes: {
    'access.allow': { asks: [access({})] },
    'access.deny': { asks: [access({ action: 'DENY' })] },
    'access.audit': { asks: [access({ action: 'AUDIT' })] },
  },
};
