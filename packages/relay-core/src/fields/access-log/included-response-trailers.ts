/** spec.includedResponseTrailers */
import { headerNames } from '../values.ts';
import type { AccessLogField } from './field.ts';

export const includedResponseTrailers: AccessLogField<'includedResponseTrailers'> = {
  capabilities: { 'accessLog.responseTrailers': 'spec.includedResponseTrailers' },
  view: ({ includedResponseTrailers }) => ({ responseTrailers: headerNames(includedResponseTrailers) }),
  reduce: ({ responseTrailers }, supports) =>
    responseTrailers.length === 0 || supports('accessLog.responseTrailers') ? undefined : { responseTrailers: [] },
};
