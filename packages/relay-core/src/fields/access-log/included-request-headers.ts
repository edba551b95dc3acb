/** spec.includedRequestHeaders */
import { headerNames } from '../values.ts';
import type { AccessLogField } from './field.ts';

export const includedRequestHeaders: AccessLogField<'includedRequestHeaders'> = {
  capabilities: { 'accessLog.requestHeaders': 'spec.includedRequestHeaders' },
  view: ({ includedRequestHeaders }) => ({ requestHeaders: headerNames(includedRequestHeaders) }),
  reduce: ({ requestHeaders }, supports) =>
    requestHeaders.length === 0 || supports('accessLog.requestHeaders') ? undefined : { requestHeaders: [] },
};
