/** The objects that Envoys' configuration is in, on their way from the cluster into what is served. */
import type { KubeObject, XdsConfigSpec, XdsConfigStatus } from '@meshrelay/api';
import type { ComposedRoutes } from '@meshrelay/envoy-api';
import type { ShardSpec } from '@meshrelay/envoy-api/xds';
import type { KindSink, ObjectKey } from '@meshrelay/kube';

export interface XdsObjectsOptions {
  readonly routes: Pick<ComposedRoutes<ShardSpec>, 'set' | 'delete' | 'flush'>;
  /** Told after each batch, which objects came or changed. */
  readonly taken?: (() => void) | undefined;
}

/** An object as it stands. */
export interface SeenXdsObject {
  readonly uid: string | undefined;
  readonly generation: number;
  /** What its status says. */
  readonly refused?: XdsConfigStatus['refused'];
  readonly uptake?: XdsConfigStatus['uptake'];
}

export class XdsObjects implements KindSink {
  readonly #options: XdsObjectsOptions;
  readonly #seen = new Map<string, SeenXdsObject>();
  #complete = false;

  constructor(options: XdsObjectsOptions) {
    this.#options = options;
  }

  /** Whether all there is was known once: before that, who asks must not be told that something is not there. */
  get complete(): boolean {
    return this.#complete;
  }

  get size(): number {
    return this.#seen.size;
  }

  /** What is known of each object beside its resources, by its name. */
  get seen(): ReadonlyMap<string, SeenXdsObject> {
    return this.#seen;
  }

  /** Hosts of all objects that came together are composed once. */
  transact(body: () => void): void {
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
    const { refused, uptake } = (object.status ?? {}) as XdsConfigStatus;
    const before = this.#seen.get(name);
    this.#seen.set(name, {
      uid,
      generation,
      ...(refused === undefined ? {} : { refused }),
      ...(uptake === undefined ? {} : { uptake }),
    });
    // Its status alone is another.
    if (generation > 0 && before?.generation === generation && before.uid === uid) return;
    const { proxies = [], resources = [] } = (object.spec ?? {}) as XdsConfigSpec;
    // The catalog knows no hosts: the routes in front of it take them out.
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
