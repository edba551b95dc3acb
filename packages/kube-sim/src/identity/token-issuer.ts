/**
 * ServiceAccount tokens: JWTs signed by the cluster, bound to the lifetime of a ServiceAccount, and of a pod if one was
 * named.
 */
import { Buffer } from 'node:buffer';
import { generateKeyPairSync, type KeyObject, sign, verify } from 'node:crypto';
import type { Cluster } from '../cluster.ts';
import { isObject } from '../schema/json-values.ts';
import { authenticated, type User } from './user.ts';

/** The claims of a token. */
interface Claims {
  readonly iss: string;
  readonly sub: string;
  readonly aud: readonly string[];
  /** Seconds since 1970. */
  readonly iat: number;
  readonly exp: number;
  readonly jti: string;
  readonly 'kubernetes.io': {
    readonly namespace: string;
    readonly serviceaccount: { readonly name: string; readonly uid: string };
    readonly pod?: BoundPod;
  };
}

/** The pod that the token is bound to. */
export interface BoundPod {
  readonly name: string;
  readonly uid: string;
}

/** The subject and audiences of a token. */
export interface VerifiedToken {
  readonly user: User;
  readonly audiences: readonly string[];
}

/** The audience of tokens for the API server itself. */
export const API_AUDIENCE = 'https://kubernetes.default.svc.cluster.local';

/** Issues and verifies tokens with a key that lives as long as the simulator. */
export class TokenIssuer {
  readonly #cluster: Cluster;
  readonly #keys: { readonly privateKey: KeyObject; readonly publicKey: KeyObject };

  constructor(cluster: Cluster) {
    this.#cluster = cluster;
    this.#keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  }

  /** A token of a ServiceAccount, valid for some seconds. */
  issue(
    account: { readonly namespace: string; readonly name: string; readonly uid: string; readonly pod?: BoundPod },
    audiences: readonly string[],
    seconds: number,
  ): string {
    const now = Math.floor(this.#cluster.clock.now() / 1000);
    const claims: Claims = {
      iss: API_AUDIENCE,
      sub: `system:serviceaccount:${account.namespace}:${account.name}`,
      aud: audiences,
      iat: now,
      exp: now + seconds,
      jti: this.#cluster.newUid(),
      'kubernetes.io': {
        namespace: account.namespace,
        serviceaccount: { name: account.name, uid: account.uid },
        ...(account.pod === undefined ? {} : { pod: account.pod }),
      },
    };
    const signed = `${encode({ alg: 'ES256', typ: 'JWT' })}.${encode(claims)}`;
    const signature = sign('sha256', Buffer.from(signed), { key: this.#keys.privateKey, dsaEncoding: 'ieee-p1363' });
    return `${signed}.${signature.toString('base64url')}`;
  }

  /**
   * The subject of a token, or undefined if its signature is invalid, it has expired, or its ServiceAccount or its pod
   * was deleted.
   */
  verify(token: string): VerifiedToken | undefined {
    const claims = this.#signedClaims(token);
    if (claims === undefined || claims.exp * 1000 <= this.#cluster.clock.now()) return undefined;
    const { namespace, serviceaccount, pod } = claims['kubernetes.io'];
    if (this.#uidOf('serviceaccounts', namespace, serviceaccount.name) !== serviceaccount.uid) return undefined;
    if (pod !== undefined && this.#uidOf('pods', namespace, pod.name) !== pod.uid) return undefined;
    const groups = ['system:serviceaccounts', `system:serviceaccounts:${namespace}`];
    const extra = {
      'authentication.kubernetes.io/credential-id': [`JTI=${claims.jti}`],
      ...(pod === undefined
        ? {}
        : {
            'authentication.kubernetes.io/pod-name': [pod.name],
            'authentication.kubernetes.io/pod-uid': [pod.uid],
          }),
    };
    const user = authenticated(claims.sub, groups, { uid: serviceaccount.uid, extra });
    return { user, audiences: claims.aud };
  }

  #uidOf(plural: string, namespace: string, name: string): string | undefined {
    return this.#cluster.store.collection({ group: '', plural }).get(`${namespace}/${name}`)?.metadata.uid;
  }

  #signedClaims(token: string): Claims | undefined {
    const [head = '', body = '', signature = '', ...rest] = token.split('.');
    if (signature === '' || rest.length > 0) return undefined;
    const key = { key: this.#keys.publicKey, dsaEncoding: 'ieee-p1363' } as const;
    if (!verify('sha256', Buffer.from(`${head}.${body}`), key, Buffer.from(signature, 'base64url'))) return undefined;
    const claims: unknown = JSON.parse(Buffer.from(body, 'base64url').toString());
    return isObject(claims as never) ? (claims as Claims) : undefined;
  }
}

function encode(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}
