/** Probes of who may call. A mesh lets nobody in for a rule that it cannot carry: without a part of it, it would let in others too. */
import { access, type Probe, type Probes } from '../probe.ts';

/** An ALLOW of nobody: what is left of one that a mesh cannot carry. */
const NO_READER = access({ sourceSelector: [{ kubeIdentityMatcher: { clusters: ['nowhere'] } }] });

/** Callers that are not named, in place of one that is. */
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
