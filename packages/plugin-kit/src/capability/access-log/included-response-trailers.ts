import { type AccessLogFieldSamples, also } from './field.ts';

export const includedResponseTrailers: AccessLogFieldSamples<'includedResponseTrailers'> = {
  probes: { 'accessLog.responseTrailers': also({ includedResponseTrailers: ['grpc-status'] }) },
};
