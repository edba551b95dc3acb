/** The admin interface of an Envoy. */

interface Listeners {
  readonly listener_statuses?: readonly {
    readonly name: string;
    readonly local_address: { readonly socket_address?: { readonly port_value: number } };
  }[];
}

interface Stats {
  readonly stats: readonly { readonly name?: string; readonly value?: number }[];
}

/** Milliseconds until the admin interface must respond. */
const ANSWER_WITHIN = 30_000;

/** The admin interface of a running Envoy. */
export class EnvoyAdmin {
  /** `host:port`. */
  readonly address: string;

  constructor(address: string) {
    this.address = address;
  }

  /** GETs a path, such as `/clusters`. @throws Error with the status when it is not 200 */
  text(path: string): Promise<string> {
    return this.#request('GET', path);
  }

  /** As {@link text}, parsed. */
  async json<T>(path: string): Promise<T> {
    return JSON.parse(await this.text(path)) as T;
  }

  /** POSTs to a path, such as `/quitquitquit`. */
  post(path: string): Promise<string> {
    return this.#request('POST', path);
  }

  /** The port a listener is bound to; undefined if the listener does not exist or is not bound. */
  async port(listener: string): Promise<number | undefined> {
    const { listener_statuses: all = [] } = await this.json<Listeners>('/listeners?format=json');
    return all.find(({ name }) => name === listener)?.local_address.socket_address?.port_value;
  }

  /** Counters and gauges with names that match a regular expression in Envoy's syntax. */
  async stats(filter: string): Promise<ReadonlyMap<string, number>> {
    const { stats } = await this.json<Stats>(`/stats?format=json&filter=${encodeURIComponent(filter)}`);
    return new Map(
      stats.flatMap(({ name, value }) => (name === undefined || value === undefined ? [] : [[name, value]])),
    );
  }

  /** One counter or gauge; 0 if Envoy has not counted it yet. */
  async stat(name: string): Promise<number> {
    const all = await this.stats(`^${name.replaceAll('.', '\\.')}$`);
    return all.get(name) ?? 0;
  }

  async #request(method: string, path: string): Promise<string> {
    const response = await fetch(`http://${this.address}${path}`, {
      method,
      headers: { connection: 'close' },
      signal: AbortSignal.timeout(ANSWER_WITHIN),
    });
    const body = await response.text();
    if (response.status !== 200) throw new Error(`Envoy answered ${response.status} to ${method} ${path}: ${body}`);
    return body;
  }
}
