import { also, type VirtualMeshFieldSamples } from './field.ts';

const ALL = { federation: { mode: 'ALL' } };

export const federation: VirtualMeshFieldSamples<'federation'> = {
  probes: {
    'mesh.federation.gateway': also(ALL),
    'mesh.federation.flatNetwork': also({ federation: { mode: 'ALL', flatNetwork: true } }, ALL),
    'mesh.federation.tcpKeepalive': also({ federation: { mode: 'ALL', tcpKeepalive: { time: '77s' } } }, ALL),
  },
};
