/** Asks an API server who a caller is and what it may do. */
import type { KubeConnection } from '../connect/kube-connection.ts';

/** Somebody the API server knows. */
export interface ReviewedUser {
  readonly name: string;
  readonly uid?: string;
  readonly groups: readonly string[];
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}

/** One thing that may be done to a resource. */
export interface ResourceAccess {
  readonly verb: string;
  /** Empty for the core group. */
  readonly group: string;
  /** Plural. */
  readonly resource: string;
  readonly subresource?: string;
  /** Omitted: of any name. */
  readonly name?: string;
  /** Omitted: in all namespaces. */
  readonly namespace?: string;
}

export class Reviews {
  readonly #connection: KubeConnection;

  constructor(connection: KubeConnection) {
    this.#connection = connection;
  }

  /**
   * Whose token this is; undefined for one that the API server does not accept.
   * @param audiences of which the token must be for one; omitted: the API server's own
   * @throws KubeError
   */
  async userOf(token: string, audiences: readonly string[] = []): Promise<ReviewedUser | undefined> {
    const { status = {} } = await this.#create<TokenReviewStatus>('authentication.k8s.io', 'TokenReview', {
      token,
      ...(audiences.length === 0 ? {} : { audiences }),
    });
    const { authenticated, user = {}, audiences: shared = [] } = status;
    if (authenticated !== true || user.username === undefined) return undefined;
    // An API server that knows nothing of audiences accepts its own tokens, whatever was asked for.
    if (audiences.length > 0 && !audiences.some((audience) => shared.includes(audience))) return undefined;
    const { username, uid, groups = [], extra } = user;
    return { name: username, groups, ...(uid === undefined ? {} : { uid }), ...(extra === undefined ? {} : { extra }) };
  }

  /**
   * Whether a user may use a path that is no object's, by the rules of RBAC for `nonResourceURLs`.
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

  /** Whether the connection's own credential may do this. @throws KubeError */
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
