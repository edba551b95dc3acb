/** spec.includedRequestHeaders */
import { headerNames } from '../values.ts';
import type { AccessLogField } from './field.ts';

export interface RequestHeadersView {
  readonly requestHeaders: readonly string[];
}

export const includedRequestHeaders: AccessLogField<RequestHeadersView, 'accessLog.requestHeaders'> = {
  capabilities: { 'accessLog.requestHeaders': 'spec.includedRequestHeaders' },
  view: ({ includedRequestHeaders }) => ({ requestHeaders: headerNames(includedRequestHeaders) }),
  reduce: ({ requestHeaders }, supports) =>
    requestHeaders.length === 0 || supports('accessLog.requestHeaders') ? undefined : { requestHeaders: [] },
  retained: ({ requestHeaders }) => ({ includedRequestHeaders: requestHeaders }),
};
