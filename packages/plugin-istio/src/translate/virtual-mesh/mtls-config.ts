/** A PeerAuthentication for the whole mesh, and the intermediate CA of istiod. */
import { strictPeerAuthentication } from '../../peer-authentications.ts';
import { intermediate } from '../intermediate.ts';
import type { VirtualMeshField } from './field.ts';

export const mtlsConfig: VirtualMeshField<'mtlsConfig'> = {
  capabilities: {
    'mesh.strictMtls': 'native',
    'mesh.trust.shared': 'native',
    'mesh.trust.limited': { unsupported: 'not translated yet; use shared trust' },
  },
  translate: (view, out) => {
    intermediate(view, out);
    if (view.strictMtls) out.emit(view.mesh.cluster, strictPeerAuthentication(view.mesh), [view.virtualMesh]);
  },
};
