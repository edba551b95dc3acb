/** Creates the guard that the configuration selects. */
import type { Reviews } from '@meshrelay/kube';
import type { AuthConfig } from './auth-config.ts';
import { byOidc } from './by-oidc.ts';
import { byTokenReview } from './by-token-review.ts';
import { cached, type Guard } from './guard.ts';

export function guardOf(auth: AuthConfig, reviews: Pick<Reviews, 'userOf' | 'mayUsePath'>, now: () => Date): Guard {
  const guard = auth.type === 'oidc' ? byOidc(auth, now) : byTokenReview(reviews, auth.audiences);
  return cached(guard, () => performance.now());
}
