/** The token in a pod's volume: renewed long before it expires, as a kubelet does. */
import { setTimeout as pause } from 'node:timers/promises';
import type { KubeObject } from '@meshrelay/kube-sim';
import type { RunningCluster } from './cluster.ts';
import type { RunFolder } from './run-folder.ts';

export interface EnvoyTokenOptions {
  readonly cluster: Pick<RunningCluster, 'connection' | 'plan'>;
  readonly pod: KubeObject;
  readonly folder: Pick<RunFolder, 'replace'>;
  readonly now?: () => number;
  readonly sleep?: (milliseconds: number, signal: AbortSignal) => Promise<unknown>;
}

const AUDIENCE = 'meshrelay';
/** Share of its lifetime after which a token is renewed. */
const RENEWED_AFTER = 0.8;
/** Milliseconds until the next attempt after the API server failed to issue a token. */
const RETRY = 10_000;

interface Token {
  readonly token: string;
  readonly expirationTimestamp: string;
}

/** Renews the token until disposed. */
export class EnvoyToken implements AsyncDisposable {
  /** Path of the token's file. */
  readonly path: string;
  readonly #options: EnvoyTokenOptions;
  readonly #stop = new AbortController();
  readonly #renewing: Promise<void>;

  private constructor(options: EnvoyTokenOptions, first: Token) {
    this.#options = options;
    this.path = this.#write(first);
    this.#renewing = this.#renew(first);
  }

  /** Writes the first token. @throws KubeError if the API server issues none */
  static async start(options: EnvoyTokenOptions): Promise<EnvoyToken> {
    return new EnvoyToken(options, await tokenOf(options));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    await this.#renewing;
  }

  async #renew(first: Token): Promise<void> {
    const { now = Date.now, sleep = inactive } = this.#options;
    const { signal } = this.#stop;
    const untilRenewal = ({ expirationTimestamp }: Token): number =>
      (Date.parse(expirationTimestamp) - now()) * RENEWED_AFTER;
    let wait = untilRenewal(first);
    for (;;) {
      await sleep(wait, signal);
      if (signal.aborted) return;
      // If the API server issues no token now, the renewal retries for as long as the pod runs.
      const token = await tokenOf(this.#options).catch(() => undefined);
      if (token !== undefined) this.#write(token);
      wait = token === undefined ? RETRY : untilRenewal(token);
    }
  }

  #write({ token }: Token): string {
    const { cluster, pod, folder } = this.#options;
    return folder.replace(`${cluster.plan.name}-${pod.metadata.name}.token`, token);
  }
}

/** Requests a token as the kubelet does: bound to the pod. */
async function tokenOf({
  cluster: { connection },
  pod: {
    metadata: { namespace = '', name, uid },
    ...pod
  },
}: EnvoyTokenOptions): Promise<Token> {
  const account = pod['spec'].serviceAccountName as string;
  const answer = await connection.request<{ readonly status: Token }>({
    what: `token of ${account}`,
    method: 'POST',
    path: `/api/v1/namespaces/${namespace}/serviceaccounts/${account}/token`,
    body: {
      apiVersion: 'authentication.k8s.io/v1',
      kind: 'TokenRequest',
      spec: { audiences: [AUDIENCE], boundObjectRef: { apiVersion: 'v1', kind: 'Pod', name, uid } },
    },
  });
  return answer.status;
}

/** Also resolves when the signal aborts. */
async function inactive(milliseconds: number, signal: AbortSignal): Promise<void> {
  try {
    await pause(milliseconds, undefined, { signal, ref: false });
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}
