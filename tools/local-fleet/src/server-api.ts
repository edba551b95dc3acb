/** The server's HTTP API, for watching fleets on this machine. */

export interface Item {
  readonly id: string;
  readonly [field: string]: unknown;
}

export class ServerApi {
  readonly url: string;

  constructor(port: number) {
    this.url = `http://127.0.0.1:${port}/api/v1`;
  }

  async list<I = Item>(resource: string): Promise<readonly I[]> {
    return (await this.#get<{ readonly items: readonly I[] }>(`/${resource}`)).items;
  }

  /** Pending work of the server. */
  async convergence(): Promise<Convergence> {
    return (await this.#get<{ readonly convergence: Convergence }>('')).convergence;
  }

  /** Whether a cluster's agent can be reached through this server, whichever replica it is connected to. */
  async asksAgent(cluster: string): Promise<boolean> {
    const response = await fetch(`${this.url}/clusters/${cluster}/agent`);
    await response.arrayBuffer();
    return response.ok;
  }

  async #get<T>(path: string): Promise<T> {
    const response = await fetch(`${this.url}${path}`);
    if (!response.ok) throw new Error(`${this.url}${path} answered ${response.status}`);
    return (await response.json()) as T;
  }
}

/** Whether the server's desired state is still going to change, and why. */
export interface Convergence {
  readonly converged: boolean;
  readonly changes: number;
  readonly decisions: { readonly policies: number; readonly addresses: number; readonly clusters: number };
  readonly deliveries: number;
}

export interface ClusterItem extends Item {
  readonly name: string;
  readonly connected: boolean;
  /** The other replica that knows the agent's state; absent if the queried replica knows it. */
  readonly replica?: string;
  readonly complete: boolean;
}

export interface OutputItem extends Item {
  readonly cluster: string;
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  readonly rejected?: { readonly code: string; readonly reason: string };
}

export interface PolicyItem extends Item {
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  readonly state: string;
  readonly targetCount: number;
  readonly conditions: ReadonlyArray<{ readonly type: string; readonly status: string }>;
  readonly reports: ReadonlyArray<{ readonly code: string; readonly severity: string; readonly message: string }>;
}
