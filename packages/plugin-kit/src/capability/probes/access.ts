/**
 * Probes of access rules. A mesh admits no caller by a rule that it does not fully support: without a part, the rule
 * would admit other callers too.
 */
import { access, type Probe, type Probes } from '../probe.ts';

/** An ALLOW without callers: the remainder of a rule that a mesh does not support. */
const NO_READER = access({ sourceSelector: [{ kubeIdentityMatcher: { clusters: ['nowhere'] } }] });

/** Callers by a selector, instead of one by name. */
const unnamed = (kubeIdentityMatcher: object): Probe => ({
  asks: [access({ sourceSelector: [{ kubeIdentityMatcher }] })],
  without: [access({})],
  refused: [NO_READER],
});

const narrowed = (spec: Readonly<Record<string, unknown>>): Probe => ({
  asks: [access(spec)],
  without: [access({})],
  refused: [NO_READER],
});

export const ACCESS_PROBES: Probes<'access'> = {
  'access.allow': { asks: [access({})] },
  'access.deny': { asks: [access({ action: 'DENY' })] },
  'access.audit': { asks: [access({ action: 'AUDIT' })] },
  'access.sources.namespaces': unnamed({ namespaces: ['shop'] }),
  'access.sources.trustDomains': unnamed({}),
  'access.paths': narrowed({ allowedPaths: ['/books*'] }),
  'access.methods': narrowed({ allowedMethods: ['GET'] }),
  'access.ports': narrowed({ allowedPorts: [8080] }),
  'access.exclusions': narrowed({ notPaths: ['/books/secret'] }),
  'access.unauthenticated': {
    asks: [access({ sourceSelector: [], unauthenticated: true })],
    without: [access({ sourceSelector: [] })],
    refused: [NO_READER],
  },
};
