import { type AccessLogFieldSamples, also } from './field.ts';

export const includedFilterStateObjects: AccessLogFieldSamples<'includedFilterStateObjects'> = {
  probes: { 'accessLog.filterState': also({ includedFilterStateObjects: ['example.state'] }) },
};
