/** spec.includedRequestHeaders */
import type { AccessLogField } from './field.ts';

export interface RequestHeadersView {
  readonly requestHeaders: readonly string[];
}

export const includedRequestHeaders: AccessLogField<RequestHeadersView, 'accessLog.requestHeaders'> = {
  capabilities: { 'accessLog.requestHeaders': 'spec.includedRequestHeaders' },
  reduce: ({ requestHeaders }, supports) =>
    requestHeaders.length === 0 || supports('accessLog.requestHeaders') ? undefined : { requestHeaders: [] },
  retained: ({ requestHeaders }) => ({ includedRequestHeaders: requestHeaders }),
};
