/** Ingests the objects that contain Envoy configuration, from the cluster into the served resources. */
import type { KubeObject, XdsConfigSpec, XdsConfigStatus, XdsProxy } from '@meshrelay/api';
import type { ComposedRoutes } from '@meshrelay/envoy-api';
import type { Proxies } from '@meshrelay/envoy-api/server';
import type { ShardSpec } from '@meshrelay/envoy-api/xds';
import type { KindSink, ObjectKey } from '@meshrelay/kube';

export interface XdsObjectsOptions {
  /** Counts the steps of the configuration. */
  readonly proxies: Pick<Proxies, 'advance'>;
  readonly routes: Pick<ComposedRoutes<ShardSpec>, 'set' | 'delete' | 'flush'>;
  /** Called after each batch in which objects appeared or changed. */
  readonly taken?: (() => void) | undefined;
}

/** Observed state of an object. */
export interface SeenXdsObject {
  readonly uid: string | undefined;
  readonly generation: number;
  /** Configuration step with which Envoys were sent this version. */
  readonly step: number;
  /** Proxies whose Envoys start from it. */
  readonly proxies: readonly XdsProxy[];
  /** Rejections in its status. */
  readonly nacked?: XdsConfigStatus['nacked'];
  readonly ackStatus?: XdsConfigStatus['ackStatus'];
  readonly acknowledgement?: XdsConfigStatus['acknowledgement'];
}

export class XdsObjects implements KindSink {
  readonly #options: XdsObjectsOptions;
  readonly #seen = new Map<string, SeenXdsObject>();
  #complete = false;
  #step = 0;

  constructor(options: XdsObjectsOptions) {
    this.#options = options;
  }

  /** Whether all objects were known once. Before that, a client must not learn that a resource does not exist. */
  get complete(): boolean {
    return this.#complete;
  }

  get size(): number {
    return this.#seen.size;
  }

  /** Observed state of each object except its resources, by name. */
  get seen(): ReadonlyMap<string, SeenXdsObject> {
    return this.#seen;
  }

  /** Hosts of all objects that arrive together are composed once. */
  transact(body: () => void): void {
    this.#step = this.#options.proxies.advance();
    body();
    this.#options.routes.flush();
    this.#options.taken?.();
  }

  replaceAll(objects: readonly KubeObject[]): void {
    const there = new Set(objects.map(({ metadata }) => metadata.name));
    for (const name of [...this.#seen.keys()]) if (!there.has(name)) this.#delete(name);
    for (const object of objects) this.upsert(object);
  }

  upsert(object: KubeObject): void {
    const { name, uid, generation = 0 } = object.metadata;
    const { nacked, ackStatus, acknowledgement } = (object.status ?? {}) as XdsConfigStatus;
    const { proxies = [], resources = [] } = (object.spec ?? {}) as XdsConfigSpec;
    const before = this.#seen.get(name);
    const isSame = generation > 0 && before?.generation === generation && before.uid === uid;
    this.#seen.set(name, {
      uid,
      generation,
      step: isSame ? before.step : this.#step,
      proxies: proxies.filter(({ listeners }) => listeners.length > 0),
      ...(nacked === undefined ? {} : { nacked }),
      ...(ackStatus === undefined ? {} : { ackStatus }),
      ...(acknowledgement === undefined ? {} : { acknowledgement }),
    });
    // Only its status has changed.
    if (isSame) return;
    // The catalog does not know hosts: the routes in front of it take them out.
    this.#options.routes.set(name, { proxies, resources } as ShardSpec);
  }

  remove({ name }: ObjectKey): void {
    this.#delete(name);
  }

  synced(): void {
    this.#complete = true;
  }

  #delete(name: string): void {
    this.#seen.delete(name);
    this.#options.routes.delete(name);
  }
}
