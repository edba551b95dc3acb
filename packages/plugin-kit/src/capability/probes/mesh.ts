/** Probes of a mesh's behaviour as a member of a VirtualMesh. */
import type { PolicySpec } from '../../fleet/policy-object.ts';
import { type Probe, type Probes, virtualMesh } from '../probe.ts';

const alone: readonly PolicySpec[] = [virtualMesh({})];
const resolveContext = (spec: Readonly<Record<string, unknown>>): Probe => ({
  asks: [virtualMesh(spec)],
  without: alone,
});
const certificates = (mtlsConfig: object): Probe => ({
  ...resolveContext({ mtlsConfig }),
  supportedBy: 'certificates, not by objects of the mesh',
});

export const MESH_PROBES: Probes<'mesh'> = {
  'mesh.federation.gateway': resolveContext({ federation: { mode: 'ALL' } }),
  'mesh.federation.flatNetwork': {
    asks: [virtualMesh({ federation: { mode: 'ALL', flatNetwork: true } })],
    without: [virtualMesh({ federation: { mode: 'ALL' } })],
  },
  'mesh.federation.tcpKeepalive': {
    asks: [virtualMesh({ federation: { mode: 'ALL', tcpKeepalive: { time: '77s' } } })],
    without: [virtualMesh({ federation: { mode: 'ALL' } })],
  },
  'mesh.globalAccess': resolveContext({ globalAccessPolicy: 'ENABLED' }),
  'mesh.strictMtls': resolveContext({ mtlsConfig: { strict: true } }),
  'mesh.trust.shared': certificates({ shared: {} }),
  'mesh.trust.limited': certificates({ limited: {} }),
};
