/** spec.includedResponseHeaders */
import { headerNames } from '../values.ts';
import type { AccessLogField } from './field.ts';

export interface ResponseHeadersView {
  readonly responseHeaders: readonly string[];
}

export const includedResponseHeaders: AccessLogField<ResponseHeadersView, 'accessLog.responseHeaders'> = {
  capabilities: { 'accessLog.responseHeaders': 'spec.includedResponseHeaders' },
  view: ({ includedResponseHeaders }) => ({ responseHeaders: headerNames(includedResponseHeaders) }),
  reduce: ({ responseHeaders }, supports) =>
    responseHeaders.length === 0 || supports('accessLog.responseHeaders') ? undefined : { responseHeaders: [] },
  retained: ({ responseHeaders }) => ({ includedResponseHeaders: responseHeaders }),
};
