/** `notPaths` of an operation. */
import type { AccessField } from './field.ts';
import { hasNoBrace, reportBraces } from './path-braces.ts';

/** An ALLOW never allows more than requested, and a DENY omits the paths that cannot be written. */
export const notPaths: AccessField<'notPaths'> = {
  capabilities: { 'access.exclusions': 'native' },
  operation: (rule) => ({ notPaths: rule.notPaths }),
  expressible: (rule, report) => {
    const left = rule.notPaths.filter(hasNoBrace);
    if (left.length === rule.notPaths.length) return undefined;
    const denies = rule.action === 'DENY';
    const consequence = denies ? 'is denied, too' : 'cannot be left out, and the whole rule allows nothing';
    reportBraces(rule, { field: 'spec.notPaths', paths: rule.notPaths, consequence }, report);
    return denies ? { notPaths: left } : 'nothing';
  },
};
