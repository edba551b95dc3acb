/** `additionalRequestHeadersToLog` of an extension provider in Istio's mesh configuration. */
import type { AccessLogField } from './field.ts';

export const includedRequestHeaders: AccessLogField<'includedRequestHeaders'> = {
  capabilities: { 'accessLog.requestHeaders': 'native' },
  namesToLog: ({ requestHeaders }) => ({ additionalRequestHeadersToLog: requestHeaders }),
};
