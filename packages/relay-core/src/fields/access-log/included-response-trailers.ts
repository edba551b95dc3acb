/** spec.includedResponseTrailers */
import { headerNames } from '../values.ts';
import type { AccessLogField } from './field.ts';

export interface ResponseTrailersView {
  readonly responseTrailers: readonly string[];
}

export const includedResponseTrailers: AccessLogField<ResponseTrailersView, 'accessLog.responseTrailers'> = {
  capabilities: { 'accessLog.responseTrailers': 'spec.includedResponseTrailers' },
  view: ({ includedResponseTrailers }) => ({ responseTrailers: headerNames(includedResponseTrailers) }),
  reduce: ({ responseTrailers }, supports) =>
    responseTrailers.length === 0 || supports('accessLog.responseTrailers') ? undefined : { responseTrailers: [] },
  retained: ({ responseTrailers }) => ({ includedResponseTrailers: responseTrailers }),
};
