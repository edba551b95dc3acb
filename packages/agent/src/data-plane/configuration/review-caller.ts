/** Whose token an Envoy shows: a ServiceAccount's, made for us and bound to a pod that is still there. */
import type { VerifiedServiceAccount } from '@meshrelay/envoy-api/server';
import type { Reviews } from '@meshrelay/kube';

const ACCOUNT = /^system:serviceaccount:([^:]+):([^:]+)$/;
/** Where an API server says which pod a token is bound to. A token that outlives its pod is accepted by nobody; one that is bound to none outlives everything. */
const POD = 'authentication.kubernetes.io/pod-name';

/**
 * Asks the API server.
 * @param audience the token must be made for it, so that one for another service is no use here
 */
export function reviewCaller(
  reviews: Pick<Reviews, 'userOf'>,
  audience: string,
): (token: string) => Promise<VerifiedServiceAccount | undefined> {
  return async (token) => {
    const user = await reviews.userOf(token, [audience]);
    const [, namespace, serviceAccount] = ACCOUNT.exec(user?.name ?? '') ?? [];
    if (namespace === undefined || serviceAccount === undefined) return undefined;
    return user?.extra?.[POD]?.length === 1 ? { namespace, serviceAccount } : undefined;
  };
}
