/** `serviceaccounts/NAME/token`: a fresh token of a ServiceAccount. */
import { timestamp } from '../clock.ts';
import type { Cluster } from '../cluster.ts';
import { invalidObject } from '../errors/api-errors.ts';
import { invalid } from '../errors/field-error.ts';
import type { Json, KubeObject } from '../object.ts';
import { isObject } from '../schema/json-values.ts';
import type { Target } from '../verbs/identity.ts';
import { readObject } from '../verbs/read.ts';
import { API_AUDIENCE, type TokenIssuer } from './token-issuer.ts';

const SHORTEST = 600;
const DEFAULT = 3600;

/**
 * Issues a token as a TokenRequest asks for.
 * @throws StatusError 404 (no such ServiceAccount) or 422 (too short a life)
 */
export function requestToken(cluster: Cluster, tokens: TokenIssuer, target: Target, body: KubeObject): KubeObject {
  const { name, namespace = '', uid = '' } = readObject(cluster, target).metadata;
  const given = body['spec'] as Json | undefined;
  const spec = isObject(given) ? given : {};
  const seconds = typeof spec['expirationSeconds'] === 'number' ? spec['expirationSeconds'] : DEFAULT;
  const kind = { group: 'authentication.k8s.io', kind: 'TokenRequest' };
  if (seconds < SHORTEST) {
    const rule = 'may not specify a duration less than 10 minutes';
    throw invalidObject(kind, '', [invalid('spec.expirationSeconds', seconds, rule)]);
  }
  const wanted = Array.isArray(spec['audiences']) ? spec['audiences'].map(String) : [];
  const audiences = wanted.length > 0 ? wanted : [API_AUDIENCE];
  const now = cluster.clock.now();
  return {
    kind: 'TokenRequest',
    apiVersion: 'authentication.k8s.io/v1',
    metadata: { name, namespace, creationTimestamp: timestamp(now) },
    spec: { ...spec, audiences, expirationSeconds: seconds },
    status: {
      token: tokens.issue({ name, namespace, uid }, audiences, seconds),
      expirationTimestamp: timestamp(now + seconds * 1000),
    },
  };
}
