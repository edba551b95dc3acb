/** `paths` of an operation. */
import type { AccessField } from './field.ts';
import { hasNoBrace, reportBraces } from './path-braces.ts';

/** An ALLOW never allows more than requested, and a DENY omits the paths that cannot be written. */
export const allowedPaths: AccessField<'allowedPaths'> = {
  capabilities: { 'access.paths': 'native' },
  operation: ({ paths }) => ({ paths }),
  expressible: (rule, report) => {
    const paths = rule.paths.filter(hasNoBrace);
    if (paths.length === rule.paths.length) return undefined;
    const consequence = rule.action === 'DENY' ? 'is not denied' : 'is not allowed';
    reportBraces(rule, { field: 'spec.allowedPaths', paths: rule.paths, consequence }, report);
    return paths.length === 0 ? 'nothing' : { paths };
  },
};
