/** `additionalRequestHeadersToLog` of a logger. */
import type { AccessLogField } from './field.ts';

export const includedRequestHeaders: AccessLogField<'includedRequestHeaders'> = {
  capabilities: { 'accessLog.requestHeaders': 'native' },
  namesToLog: ({ requestHeaders }) => ({ additionalRequestHeadersToLog: requestHeaders }),
};
