/** Token and access reviews at an API server. */
import type { KubeConnection } from '../connect/kube-connection.ts';

/** A user of the API server. */
export interface ReviewedUser {
  readonly name: string;
  readonly uid?: string;
  readonly groups: readonly string[];
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}

/** An action on a resource. */
export interface ResourceAccess {
  readonly verb: string;
  /** Empty for the core group. */
  readonly group: string;
  /** Plural. */
  readonly resource: string;
  readonly subresource?: string;
  /** Omitted: any name. */
  readonly name?: string;
  /** Omitted: all namespaces. */
  readonly namespace?: string;
}

export class Reviews {
  readonly #connection: KubeConnection;

  constructor(connection: KubeConnection) {
    this.#connection = connection;
  }

  /**
   * The user of a token; undefined for a token that the API server rejects.
   * @param audiences of which the token must have one; omitted: the API server's own
   * @throws KubeError
   */
  async userOf(token: string, audiences: readonly string[] = []): Promise<ReviewedUser | undefined> {
    const { status = {} } = await this.#create<TokenReviewStatus>('authentication.k8s.io', 'TokenReview', {
      token,
      ...(audiences.length === 0 ? {} : { audiences }),
    });
    const { authenticated, user = {}, audiences: shared = [] } = status;
    if (authenticated !== true || user.username === undefined) return undefined;
    // An API server without support for audiences accepts its own tokens for any audience.
    if (audiences.length > 0 && !audiences.some((audience) => shared.includes(audience))) return undefined;
    const { username, uid, groups = [], extra } = user;
    return { name: username, groups, ...(uid === undefined ? {} : { uid }), ...(extra === undefined ? {} : { extra }) };
  }

  /**
   * Whether a user may access a non-resource path, by the RBAC rules for `nonResourceURLs`.
   * @param verb `get`, in lower case
   * @throws KubeError
   */
  async mayUsePath({ name, ...user }: ReviewedUser, verb: string, path: string): Promise<boolean> {
    const { status = {} } = await this.#create<{ readonly allowed?: boolean }>(
      'authorization.k8s.io',
      'SubjectAccessReview',
      { user: name, ...user, nonResourceAttributes: { verb, path } },
    );
    return status.allowed === true;
  }

  /** Whether the connection's own credential permits this. @throws KubeError */
  async mayI(access: ResourceAccess): Promise<boolean> {
    const { status = {} } = await this.#create<{ readonly allowed?: boolean }>(
      'authorization.k8s.io',
      'SelfSubjectAccessReview',
      { resourceAttributes: access },
    );
    return status.allowed === true;
  }

  #create<Status>(group: string, kind: string, spec: object): Promise<{ readonly status?: Status }> {
    return this.#connection.request({
      what: `create ${kind}`,
      method: 'POST',
      path: `/apis/${group}/v1/${kind.toLowerCase()}s`,
      body: { apiVersion: `${group}/v1`, kind, spec },
    });
  }
}

interface TokenReviewStatus {
  readonly authenticated?: boolean;
  readonly audiences?: readonly string[];
  readonly user?: {
    readonly username?: string;
    readonly uid?: string;
    readonly groups?: readonly string[];
    readonly extra?: Readonly<Record<string, readonly string[]>>;
  };
}
