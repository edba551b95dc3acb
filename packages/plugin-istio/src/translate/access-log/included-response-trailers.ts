/** `additionalResponseTrailersToLog` of an extension provider in Istio's mesh configuration. */
import type { AccessLogField } from './field.ts';

export const includedResponseTrailers: AccessLogField<'includedResponseTrailers'> = {
  capabilities: { 'accessLog.responseTrailers': 'native' },
  namesToLog: ({ responseTrailers }) => ({ additionalResponseTrailersToLog: responseTrailers }),
};
