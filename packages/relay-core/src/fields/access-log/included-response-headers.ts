/** spec.includedResponseHeaders */
import { headerNames } from '../values.ts';
import type { AccessLogField } from './field.ts';

export const includedResponseHeaders: AccessLogField<'includedResponseHeaders'> = {
  capabilities: { 'accessLog.responseHeaders': 'spec.includedResponseHeaders' },
  view: ({ includedResponseHeaders }) => ({ responseHeaders: headerNames(includedResponseHeaders) }),
  reduce: ({ responseHeaders }, supports) =>
    responseHeaders.length === 0 || supports('accessLog.responseHeaders') ? undefined : { responseHeaders: [] },
};
