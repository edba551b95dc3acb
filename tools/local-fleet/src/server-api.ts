/** The server's HTTP API, as fleets on this machine are watched by it. */

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

  /** What the server has under way. */
  async settling(): Promise<Settling> {
    return (await this.#get<{ readonly settling: Settling }>('')).settling;
  }

  /** Whether the agent of a cluster answers by this server, whichever it is connected to. */
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

/** Whether what the server wants is still to change by itself, and why. */
export interface Settling {
  readonly settled: boolean;
  readonly changes: number;
  readonly decisions: { readonly policies: number; readonly addresses: number; readonly clusters: number };
  readonly deliveries: number;
}

export interface ClusterItem extends Item {
  readonly name: string;
  readonly connected: boolean;
  /** The other replica that says how the agent stands; absent where the one that was asked knows itself. */
  readonly replica?: string;
  readonly complete: boolean;
}

export interface OutputItem extends Item {
  readonly cluster: string;
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  readonly refused?: { readonly code: string; readonly reason: string };
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
