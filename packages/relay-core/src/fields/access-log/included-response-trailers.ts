/** spec.includedResponseTrailers */
import type { AccessLogField } from './field.ts';

export interface ResponseTrailersView {
  readonly responseTrailers: readonly string[];
}

export const includedResponseTrailers: AccessLogField<ResponseTrailersView, 'accessLog.responseTrailers'> = {
  capabilities: { 'accessLog.responseTrailers': 'spec.includedResponseTrailers' },
  reduce: ({ responseTrailers }, supports) =>
    responseTrailers.length === 0 || supports('accessLog.responseTrailers') ? undefined : { responseTrailers: [] },
  retained: ({ responseTrailers }) => ({ includedResponseTrailers: responseTrailers }),
};
