import { type AccessLogFieldSamples, also } from './field.ts';

export const includedResponseHeaders: AccessLogFieldSamples<'includedResponseHeaders'> = {
  probes: { 'accessLog.responseHeaders': also({ includedResponseHeaders: ['server'] }) },
};
