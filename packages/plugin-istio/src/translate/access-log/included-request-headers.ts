/** `additionalRequestHeadersToLog` of a provider. */
import type { AccessLogField } from './field.ts';

export const includedRequestHeaders: AccessLogField<'includedRequestHeaders'> = {
  capabilities: { 'accessLog.requestHeaders': 'native' },
  namesToLog: ({ requestHeaders }) => ({ additionalRequestHeadersToLog: requestHeaders }),
};
