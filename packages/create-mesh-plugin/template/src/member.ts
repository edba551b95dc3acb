/** Step 2, membership: pods that run the proxy of my-mesh. */
import { containersOf, type MemberRule } from '@meshrelay/plugin';

/** Pods belong to the only control plane of the cluster. With several, `meshOf` names the one of a pod. */
export const member: MemberRule = {
  // Look for what the injector of your mesh always adds.
  match: ({ spec }) => containersOf(spec).some(({ name }) => name === 'my-mesh-proxy'),
};
