/** `additionalResponseHeadersToLog` of an extension provider in Istio's mesh configuration. */
import type { AccessLogField } from './field.ts';

export const includedResponseHeaders: AccessLogField<'includedResponseHeaders'> = {
  capabilities: { 'accessLog.responseHeaders': 'native' },
  namesToLog: ({ responseHeaders }) => ({ additionalResponseHeadersToLog: responseHeaders }),
};
