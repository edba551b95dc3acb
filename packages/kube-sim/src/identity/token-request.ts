/** `serviceaccounts/NAME/token`: a new token of a ServiceAccount. */
import { timestamp } from '../clock.ts';
import type { Cluster } from '../cluster.ts';
import { badRequest, conflict, invalidObject, notFound } from '../errors/api-errors.ts';
import { invalid } from '../errors/field-error.ts';
import type { Json, JsonObject, KubeObject } from '../object.ts';
import { isObject } from '../schema/json-values.ts';
import type { Target } from '../verbs/identity.ts';
import { readObject } from '../verbs/read.ts';
import { API_AUDIENCE, type BoundPod, type TokenIssuer } from './token-issuer.ts';

const SHORTEST = 600;
const DEFAULT = 3600;

/**
 * Issues a token for a TokenRequest.
 * @throws StatusError 404 (unknown ServiceAccount, or unknown pod to bind to) or 422 (too short a lifetime, or bound to
 *   an object other than a pod)
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
  const requested = Array.isArray(spec['audiences']) ? spec['audiences'].map(String) : [];
  const audiences = requested.length > 0 ? requested : [API_AUDIENCE];
  const pod = boundPod(cluster, { namespace, account: name }, spec['boundObjectRef'], kind);
  const now = cluster.clock.now();
  return {
    kind: 'TokenRequest',
    apiVersion: 'authentication.k8s.io/v1',
    metadata: { name, namespace, creationTimestamp: timestamp(now) },
    spec: { ...spec, audiences, expirationSeconds: seconds },
    status: {
      token: tokens.issue({ name, namespace, uid, ...(pod === undefined ? {} : { pod }) }, audiences, seconds),
      expirationTimestamp: timestamp(now + seconds * 1000),
    },
  };
}

/** The pod to bind the token to; if a uid is given, it must be the pod's. */
function boundPod(
  cluster: Cluster,
  { namespace, account }: { readonly namespace: string; readonly account: string },
  given: Json | undefined,
  kind: { readonly group: string; readonly kind: string },
): BoundPod | undefined {
  if (!isObject(given)) return undefined;
  const { kind: of, name = '', uid } = given;
  if (of !== 'Pod') {
    const rule = 'supported values: "Pod"';
    throw invalidObject(kind, '', [invalid('spec.boundObjectRef.kind', of ?? null, rule)]);
  }
  const pod = cluster.store.collection({ group: '', plural: 'pods' }).get(`${namespace}/${String(name)}`);
  const found = pod?.metadata.uid;
  if (found === undefined) throw notFound({ group: '', plural: 'pods' }, String(name));
  if (typeof uid === 'string' && uid !== '' && uid !== found) {
    const message = `the UID in the bound object reference (${uid}) does not match the UID in record. The object might have been deleted and then recreated`;
    throw conflict({ group: '', plural: 'pods' }, String(name), message);
  }
  if (((pod?.['spec'] as JsonObject | undefined)?.['serviceAccountName'] ?? 'default') !== account)
    throw badRequest(
      `cannot bind token for serviceaccount ${JSON.stringify(account)} to pod running with different serviceaccount name.`,
    );
  return { name: String(name), uid: found };
}
