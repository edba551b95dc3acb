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
    const response = await fetch(`${this.url}/${resource}`);
    if (!response.ok) throw new Error(`${this.url}/${resource} answered ${response.status}`);
    return ((await response.json()) as { items: readonly I[] }).items;
  }
}

export interface ClusterItem extends Item {
  readonly name: string;
  readonly connected: boolean;
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
  readonly reports: ReadonlyArray<{ readonly code: string; readonly severity: string; readonly message: string }>;
}
