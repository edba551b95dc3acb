import { type AccessLogFieldSamples, also } from './field.ts';

export const includedRequestHeaders: AccessLogFieldSamples<'includedRequestHeaders'> = {
  probes: { 'accessLog.requestHeaders': also({ includedRequestHeaders: ['x-request-id'] }) },
};
