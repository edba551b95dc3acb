/**
 * A model of Envoy's xDS client: its requests, warming and rejections. Both protocols. Its messages are appended to
 * `out`, and the test transfers them at any rate.
 */
import { create, discovery, fromBinary, route } from '../../src/mod.ts';
import { referencesOf, XDS_TYPES, type XdsType, xdsTypeOf } from '../../src/xds/mod.ts';

/** Content by name: the encoded message, as hex. */
type Contents = Map<string, string>;

export interface ModelOptions {
  /** Whether it rejects this content. */
  readonly refuses: (hex: string) => boolean;
  /** Whether a rejection is of the whole response, without names. */
  readonly total: boolean;
}

/** Its resources survive connections; `connect` begins a new stream. */
export class ModelEnvoy {
  readonly options: ModelOptions;
  readonly has: Record<XdsType, Contents> = {
    cluster: new Map(),
    clusterLoadAssignment: new Map(),
    secret: new Map(),
    listener: new Map(),
    extensionConfig: new Map(),
    routeConfiguration: new Map(),
  };
  /** Clusters that wait for their endpoints. */
  readonly warming = new Set<string>();
  /** Clusters that have been active. */
  readonly serving = new Set<string>();
  /** Clusters that routes referenced while they were not active. */
  readonly dips: string[] = [];
  readonly versions: Record<XdsType, Map<string, string>>;
  readonly watched: Record<'clusterLoadAssignment' | 'routeConfiguration', Set<string>> = {
    clusterLoadAssignment: new Set(),
    routeConfiguration: new Set(),
  };

  constructor(options: ModelOptions) {
    this.options = options;
    this.versions = Object.fromEntries(Object.keys(this.has).map((type) => [type, new Map()])) as never;
  }

  /** Applies a response. @returns the error, if any */
  take(
    type: XdsType,
    resources: ReadonlyMap<string, { hex: string; version: string }>,
    removed: Iterable<string>,
  ): string | undefined {
    const bad = [...resources].filter(([, { hex }]) => this.options.refuses(hex)).map(([name]) => name);
    const none = bad.length > 0 && this.options.total;
    for (const [name, { hex, version }] of resources) {
      if (none || bad.includes(name)) continue;
      if (!XDS_TYPES[type].whole && !this.#watches(type, name)) continue;
      this.#apply(type, name, hex, version);
    }
    for (const name of removed) this.#remove(type, name);
    this.#check();
    if (bad.length === 0) return undefined;
    if (none) return 'Proto constraint validation failed (SomeError.Field)';
    return `Error adding/updating ${type}(s) ${bad.map((name) => `${name}: malformed, for a reason`).join(', ')}`;
  }

  #watches(type: XdsType, name: string): boolean {
    return type in this.watched && this.watched[type as 'routeConfiguration'].has(name);
  }

  #apply(type: XdsType, name: string, hex: string, version: string): void {
    const changed = this.has[type].get(name) !== hex;
    this.has[type].set(name, hex);
    this.versions[type].set(name, version);
    if (type === 'cluster' && changed) {
      this.warming.add(name);
      this.watched.clusterLoadAssignment.add(name);
    }
    if (type === 'clusterLoadAssignment' && this.warming.delete(name)) this.serving.add(name);
    if (type === 'listener') this.watched.routeConfiguration.add(name);
  }

  #remove(type: XdsType, name: string): void {
    this.has[type].delete(name);
    this.versions[type].delete(name);
    if (type === 'cluster') {
      this.warming.delete(name);
      this.serving.delete(name);
      this.watched.clusterLoadAssignment.delete(name);
      this.has.clusterLoadAssignment.delete(name);
      this.versions.clusterLoadAssignment.delete(name);
    }
    if (type === 'listener') {
      this.watched.routeConfiguration.delete(name);
      this.has.routeConfiguration.delete(name);
      this.versions.routeConfiguration.delete(name);
    }
  }

  #check(): void {
    for (const hex of this.has.routeConfiguration.values()) {
      const message = fromBinary(route.RouteConfigurationSchema, new Uint8Array(Buffer.from(hex, 'hex')));
      for (const { type, name } of referencesOf('routeConfiguration', message)) {
        if (type === 'cluster' && !this.serving.has(name)) this.dips.push(name);
      }
    }
  }
}

/** One connection of a model by either protocol. */
export interface ModelConnection<Request, Response> {
  /** Its messages, in order, to be transferred to the server. */
  readonly out: Request[];
  hear(response: Response): void;
}

const SUBSCRIBED: readonly ('clusterLoadAssignment' | 'routeConfiguration')[] = [
  'clusterLoadAssignment',
  'routeConfiguration',
];

export class DeltaConnection
  implements ModelConnection<discovery.DeltaDiscoveryRequest, discovery.DeltaDiscoveryResponse>
{
  readonly out: discovery.DeltaDiscoveryRequest[] = [];
  readonly #envoy: ModelEnvoy;
  readonly #requested = { clusterLoadAssignment: new Set<string>(), routeConfiguration: new Set<string>() };
  readonly #begun = new Set<XdsType>();

  constructor(envoy: ModelEnvoy) {
    this.#envoy = envoy;
    this.#say('cluster', {});
    if (envoy.has.listener.size > 0) this.#say('listener', {});
    this.#subscribe();
  }

  hear({ typeUrl, nonce, resources, removedResources }: discovery.DeltaDiscoveryResponse): void {
    const type = xdsTypeOf(typeUrl) as XdsType;
    const contents = new Map(
      resources.map(({ name, version, resource }) => [
        name,
        { hex: Buffer.from(resource?.value ?? []).toString('hex'), version },
      ]),
    );
    const complaint = this.#envoy.take(type, contents, removedResources);
    if (type === 'cluster' && !this.#begun.has('listener')) this.#say('listener', {});
    this.#subscribe();
    const errorDetail = complaint === undefined ? {} : { errorDetail: { code: 13, message: complaint } };
    this.#say(type, { responseNonce: nonce, ...errorDetail });
  }

  #subscribe(): void {
    for (const type of SUBSCRIBED) {
      const [need, requested] = [this.#envoy.watched[type], this.#requested[type]];
      const resourceNamesSubscribe = [...need].filter((name) => !requested.has(name));
      const resourceNamesUnsubscribe = [...requested].filter((name) => !need.has(name));
      this.#requested[type] = new Set(need);
      if (resourceNamesSubscribe.length + resourceNamesUnsubscribe.length > 0) {
        this.#say(type, { resourceNamesSubscribe, resourceNamesUnsubscribe });
      }
    }
  }

  #say(type: XdsType, init: Record<string, unknown>): void {
    const first = this.#begun.has(type)
      ? {}
      : { initialResourceVersions: Object.fromEntries(this.#envoy.versions[type]) };
    this.#begun.add(type);
    this.out.push(
      create(discovery.DeltaDiscoveryRequestSchema, { typeUrl: XDS_TYPES[type].typeUrl, ...first, ...init }),
    );
  }
}

export class SotwConnection implements ModelConnection<discovery.DiscoveryRequest, discovery.DiscoveryResponse> {
  readonly out: discovery.DiscoveryRequest[] = [];
  readonly #envoy: ModelEnvoy;
  readonly #names: (type: XdsType, value: Uint8Array) => string;
  readonly #nonces = new Map<XdsType, string>();
  readonly #requested = new Map<XdsType, string>();

  constructor(envoy: ModelEnvoy, names: (type: XdsType, value: Uint8Array) => string) {
    this.#envoy = envoy;
    this.#names = names;
    this.#say('cluster');
    if (envoy.has.listener.size > 0) this.#say('listener');
    this.#subscribe();
  }

  hear({ typeUrl, nonce, resources }: discovery.DiscoveryResponse): void {
    const type = xdsTypeOf(typeUrl) as XdsType;
    const contents = new Map(
      resources.map(({ value }) => [
        this.#names(type, value),
        { hex: Buffer.from(value).toString('hex'), version: '' },
      ]),
    );
    const gone = XDS_TYPES[type].whole ? [...this.#envoy.has[type].keys()].filter((name) => !contents.has(name)) : [];
    const complaint = this.#envoy.take(type, contents, gone);
    if (type === 'cluster' && !this.#requested.has('listener')) this.#say('listener');
    this.#subscribe(type);
    this.#nonces.set(type, nonce);
    this.#say(type, complaint);
  }

  /** A growing subscription is sent with the last answered nonce, which may be an old one. */
  #subscribe(beside?: XdsType): void {
    for (const type of SUBSCRIBED) {
      if (type === beside || this.#namesOf(type).join() === (this.#requested.get(type) ?? '')) continue;
      this.#say(type);
    }
  }

  #say(type: XdsType, complaint?: string): void {
    const resourceNames = this.#namesOf(type);
    this.#requested.set(type, resourceNames.join());
    const errorDetail = complaint === undefined ? {} : { errorDetail: { code: 13, message: complaint } };
    this.out.push(
      create(discovery.DiscoveryRequestSchema, {
        typeUrl: XDS_TYPES[type].typeUrl,
        responseNonce: this.#nonces.get(type) ?? '',
        resourceNames,
        ...errorDetail,
      }),
    );
  }

  #namesOf(type: XdsType): string[] {
    return type in this.#envoy.watched ? [...this.#envoy.watched[type as 'routeConfiguration']].sort() : [];
  }
}
