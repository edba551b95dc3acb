/**
 * Verifies the token of an Envoy: it must belong to a ServiceAccount, be issued for this audience, and be bound to a
 * pod that still exists.
 */
import type { VerifiedServiceAccount } from '@meshrelay/envoy-api/server';
import type { Reviews } from '@meshrelay/kube';

const ACCOUNT = /^system:serviceaccount:([^:]+):([^:]+)$/;
/**
 * Field in which an API server names the pod of a token. The API server rejects a token whose pod is deleted; a token
 * without a pod would remain valid.
 */
const POD = 'authentication.kubernetes.io/pod-name';

/**
 * Sends a TokenReview to the API server.
 * @param audience required audience of the token, so a token for another service is rejected
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
