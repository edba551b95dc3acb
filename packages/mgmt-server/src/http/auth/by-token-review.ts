/**
 * Authentication by the management cluster: the API server reviews a token, and RBAC decides what its user may read.
 */
import type { Reviews } from '@meshrelay/kube';
import type { Guard } from './guard.ts';

/** @param audiences accepted audiences of tokens; empty for those of the API server itself */
export function byTokenReview(reviews: Pick<Reviews, 'userOf' | 'mayUsePath'>, audiences: readonly string[]): Guard {
  return async (token, path) => {
    const user = await reviews.userOf(token, audiences);
    if (user === undefined)
      return {
        admitted: false,
        reason: 'unknown',
        message: 'the management cluster does not accept this token; get another: kubectl create token',
      };
    if (await reviews.mayUsePath(user, 'get', path)) return { admitted: true, user: user.name };
    const message = `user ${user.name} may not get ${path}; bind a ClusterRole with {nonResourceURLs: ["/api/v1", "/api/v1/*"], verbs: ["get"]} to them`;
    return { admitted: false, reason: 'forbidden', message };
  };
}
