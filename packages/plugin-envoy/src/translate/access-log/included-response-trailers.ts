/** `additionalResponseTrailersToLog` of a logger. */
import type { AccessLogField } from './field.ts';

export const includedResponseTrailers: AccessLogField<'includedResponseTrailers'> = {
  capabilities: { 'accessLog.responseTrailers': 'native' },
  namesToLog: ({ responseTrailers }) => ({ additionalResponseTrailersToLog: responseTrailers }),
};
