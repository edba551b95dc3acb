/** Probes of who may call. A rule that a mesh cannot carry is left out whole: without a part of it, it would let in others too. */
import { access, type Probe, type Probes } from '../probe.ts';

const narrowed = (spec: Readonly<Record<string, unknown>>): Probe => ({
  asks: [access(spec)],
  without: [access({})],
  refused: [],
});

export const ACCESS_PROBES: Probes<'access'> = {
  'access.allow': { asks: [access({})] },
  'access.deny': { asks: [access({ action: 'DENY' })] },
  'access.audit': { asks: [access({ action: 'AUDIT' })] },
  'access.paths': narrowed({ allowedPaths: ['/books*'] }),
  'access.methods': narrowed({ allowedMethods: ['GET'] }),
  'access.ports': narrowed({ allowedPorts: [8080] }),
  'access.exclusions': narrowed({ notPaths: ['/books/secret'] }),
  'access.unauthenticated': {
    asks: [access({ sourceSelector: [], unauthenticated: true })],
    without: [access({ sourceSelector: [] })],
    refused: [],
  },
};
