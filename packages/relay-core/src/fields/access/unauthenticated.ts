/** spec.unauthenticated */
import type { AccessPolicySpec, Report } from '@meshrelay/api';
import type { AccessField } from './field.ts';

/** In place of the callers of `spec.sourceSelector`, which no valid policy names at the same time. */
export const unauthenticated: AccessField<'unauthenticated'> = {
  capabilities: { 'access.unauthenticated': 'spec.unauthenticated' },
  closed: { sources: { kind: 'principals', principals: [] } },
  view: (spec, _context, report) => {
    if (deniesOnlyTheAuthenticated(spec)) report(UNAUTHENTICATED_NOT_DENIED);
    return spec.unauthenticated === true ? { sources: { kind: 'anyone' } } : undefined;
  },
  requires: ({ sources }) => (sources.kind === 'anyone' ? ['access.unauthenticated'] : []),
  remaining: () => 'none',
};

/**
 * Whether a DENY seems to apply to all callers. Like every policy without sources, it applies only to callers with an
 * identity.
 */
function deniesOnlyTheAuthenticated({ action, unauthenticated, sourceSelector = [] }: AccessPolicySpec): boolean {
  const isForAllSources = sourceSelector.length === 0 || sourceSelector.some((item) => Object.keys(item).length === 0);
  return action === 'DENY' && unauthenticated !== true && isForAllSources;
}

const UNAUTHENTICATED_NOT_DENIED: Report = {
  code: 'UNAUTHENTICATED_NOT_DENIED',
  severity: 'info',
  field: 'spec.unauthenticated',
  message:
    'denies every identity of the virtual mesh, but no unauthenticated caller; set unauthenticated: true to deny those, too',
};
