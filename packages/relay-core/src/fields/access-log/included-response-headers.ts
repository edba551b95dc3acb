/** spec.includedResponseHeaders */
import type { AccessLogField } from './field.ts';

export interface ResponseHeadersView {
  readonly responseHeaders: readonly string[];
}

export const includedResponseHeaders: AccessLogField<ResponseHeadersView, 'accessLog.responseHeaders'> = {
  capabilities: { 'accessLog.responseHeaders': 'spec.includedResponseHeaders' },
  reduce: ({ responseHeaders }, supports) =>
    responseHeaders.length === 0 || supports('accessLog.responseHeaders') ? undefined : { responseHeaders: [] },
  retained: ({ responseHeaders }) => ({ includedResponseHeaders: responseHeaders }),
};
