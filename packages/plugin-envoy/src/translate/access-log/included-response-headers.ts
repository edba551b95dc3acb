/** `additionalResponseHeadersToLog` of a logger. */
import type { AccessLogField } from './field.ts';

export const includedResponseHeaders: AccessLogField<'includedResponseHeaders'> = {
  capabilities: { 'accessLog.responseHeaders': 'native' },
  namesToLog: ({ responseHeaders }) => ({ additionalResponseHeadersToLog: responseHeaders }),
};
