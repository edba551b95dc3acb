/**
 * Virtual kinds that are not stored: token, access and identity reviews. Every authenticated caller may do everything.
 */
import type { Json, JsonObject, KubeObject } from '../object.ts';
import { isObject } from '../schema/json-values.ts';
import { API_AUDIENCE, type TokenIssuer } from './token-issuer.ts';
import { ANONYMOUS, type User } from './user.ts';

/** Data for reviews. */
export interface ReviewContext {
  readonly user: User;
  readonly tokens: TokenIssuer;
  /** Users of tokens that never expire. */
  readonly known: ReadonlyMap<string, User>;
}

type Review = (body: KubeObject, context: ReviewContext) => JsonObject;

const REVIEWS: Readonly<Record<string, Review>> = {
  'tokenreviews.authentication.k8s.io': reviewToken,
  'selfsubjectreviews.authentication.k8s.io': (_body, { user }) => ({ userInfo: userInfo(user) }),
  'selfsubjectaccessreviews.authorization.k8s.io': (_body, { user }) => access(user.name),
  'subjectaccessreviews.authorization.k8s.io': (body) => access(specOf(body)['user']),
  'localsubjectaccessreviews.authorization.k8s.io': (body) => access(specOf(body)['user']),
  'selfsubjectrulesreviews.authorization.k8s.io': () => ({
    resourceRules: [{ verbs: ['*'], apiGroups: ['*'], resources: ['*'] }],
    nonResourceRules: [{ verbs: ['*'], nonResourceURLs: ['*'] }],
    incomplete: false,
  }),
};

/** The review with its answer in `status`, or undefined if the resource is not a review. */
export function answerReview(key: string, body: KubeObject, context: ReviewContext): KubeObject | undefined {
  const review = REVIEWS[key];
  if (review === undefined) return undefined;
  return { ...body, metadata: body.metadata ?? ({} as KubeObject['metadata']), status: review(body, context) };
}

function specOf(body: KubeObject): JsonObject {
  const spec = body['spec'] as Json | undefined;
  return isObject(spec) ? spec : {};
}

function access(user: Json | undefined): JsonObject {
  return user === ANONYMOUS.name || user === undefined || user === ''
    ? { allowed: false }
    : { allowed: true, reason: 'the simulator lets every known caller do everything' };
}

function reviewToken(body: KubeObject, { tokens, known }: ReviewContext): JsonObject {
  const { token, audiences } = specOf(body);
  if (typeof token !== 'string' || token === '') return { user: {}, error: 'no token was given' };
  const requested = Array.isArray(audiences) && audiences.length > 0 ? audiences.map(String) : [API_AUDIENCE];
  const user = known.get(token);
  const found = user === undefined ? tokens.verify(token) : { user, audiences: requested };
  const shared = requested.filter((audience) => found?.audiences.includes(audience) === true);
  if (found === undefined || shared.length === 0)
    return { user: {}, error: '[invalid bearer token, unknown, expired or for another audience]' };
  return { authenticated: true, user: userInfo(found.user), audiences: shared };
}

function userInfo(user: User): JsonObject {
  return {
    username: user.name,
    ...(user.uid === undefined ? {} : { uid: user.uid }),
    groups: [...user.groups],
    ...(user.extra === undefined ? {} : { extra: user.extra as unknown as JsonObject }),
  };
}
