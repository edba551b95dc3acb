/** Step 1, detection: the control plane of my-mesh. */
import { type ControlPlaneRule, fieldOf, textOf } from '@meshrelay/plugin';

/** One object of each control plane: its Deployment, unless `kind` names another kind, which then is in `watches`. */
export const controlPlane: ControlPlaneRule = {
  // Look for what the installer of your mesh always writes, such as a label.
  match: ({ metadata }) => textOf(fieldOf(metadata.labels, 'app')) === 'my-mesh-controller',
  mesh(deployment) {
    const { name, namespace = '', labels } = deployment.metadata;
    const version = textOf(fieldOf(labels, 'version'));
    return { name, namespace, trustDomain: 'cluster.local', ...(version === undefined ? {} : { version }) };
  },
};
