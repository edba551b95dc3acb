import type { AccessLogFilter } from '@meshrelay/api';
import type { Probe } from '../probe.ts';
import { type AccessLogFieldSamples, also } from './field.ts';

/** A record that the mesh does not support is left out as a whole. */
const filtered = (filter: AccessLogFilter): Probe => ({ ...also({ filters: [filter] }), refused: [] });

export const filters: AccessLogFieldSamples<'filters'> = {
  probes: {
    'accessLog.filters.status': filtered({ statusCodeMatcher: { value: 500, comparator: 'GE' } }),
    'accessLog.filters.header': filtered({ headerMatcher: { name: 'x-debug', value: 'on' } }),
  },
};
