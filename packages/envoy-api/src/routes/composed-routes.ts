/**
 * Composes route configurations from hosts in many objects. A table of all Services of a cluster does not fit into one
 * object, and a change of one host should change one object. All other resources pass through unchanged.
 */
import type { JsonObject } from '@bufbuild/protobuf';
import { violations } from '../check/violations.ts';
import { VirtualHostSchema } from '../gen/envoy/config/route/v3/route_components_pb.ts';
import { messageFromJson } from '../messages/json.ts';

/** One resource of an object, as protobuf JSON. */
export interface ObjectResource {
  readonly type: string;
  readonly name: string;
  readonly value: JsonObject;
}

/** The used part of an XdsConfig. */
export interface ObjectSpec {
  readonly resources?: readonly ObjectResource[];
}

/** Receives objects by their names. */
export interface ObjectTarget<Spec extends ObjectSpec> {
  set(name: string, spec: Spec): void;
  delete(name: string): void;
}

/** A host that is left out of its route configuration: Envoy would reject the whole configuration because of it. */
export interface HostProblem {
  /** Name of the object. */
  readonly object: string;
  /** `<route configuration>/<host>`. */
  readonly host: string;
  /** The fault, naming the field or the domain. */
  readonly problem: string;
}

/** Name prefix of composed objects; no Kubernetes object has such a name. */
const MADE = 'routes of ';

interface Host {
  readonly object: string;
  readonly value: JsonObject;
  readonly domains: readonly string[];
  /** Why it is unreadable. */
  readonly problem?: string;
}

/** Stores the hosts of all objects, and one object with a route configuration for each that has hosts. */
export class ComposedRoutes<Spec extends ObjectSpec> {
  readonly #target: ObjectTarget<Spec>;
  /** By route configuration, then by host, then by object. */
  readonly #hosts = new Map<string, Map<string, Map<string, Host>>>();
  readonly #ofObject = new Map<string, readonly string[]>();
  readonly #due = new Set<string>();
  /** Objects whose hosts changed, by route configuration: since the last flush, and in the flush before. */
  #changing = new Map<string, Set<string>>();
  readonly #changed = new Map<string, ReadonlySet<string>>();
  readonly #clashes = new Map<string, readonly HostProblem[]>();

  constructor(target: ObjectTarget<Spec>) {
    this.#target = target;
  }

  /** Adds or changes an object. Its hosts are used from the next {@link flush} on. */
  set(name: string, spec: Spec): void {
    const all = spec.resources ?? [];
    const hosts = all.filter(({ type }) => type === 'virtualHost');
    this.#replace(name, hosts);
    this.#target.set(
      name,
      hosts.length === 0 ? spec : { ...spec, resources: all.filter((one) => !hosts.includes(one)) },
    );
  }

  /** Removes an object. */
  delete(name: string): void {
    this.#replace(name, []);
    this.#target.delete(name);
  }

  /** Recomposes the route configurations whose hosts changed: once for all objects that arrived together. */
  flush(): void {
    for (const name of this.#due) {
      const hosts = this.#hosts.get(name);
      if (hosts === undefined || hosts.size === 0) {
        this.#hosts.delete(name);
        this.#clashes.delete(name);
        this.#target.delete(`${MADE}${name}`);
      } else this.#target.set(`${MADE}${name}`, this.#compose(name, hosts));
    }
    this.#due.clear();
    for (const [name, objects] of this.#changing) this.#changed.set(name, objects);
    this.#changing = new Map();
  }

  /** Hosts that are left out, unordered. */
  problems(): readonly HostProblem[] {
    const unreadable = [...this.#hosts].flatMap(([routes, hosts]) =>
      [...hosts].flatMap(([host, byObject]) =>
        [...byObject.values()].flatMap(({ object, problem }) =>
          problem === undefined ? [] : [{ object, host: `${routes}/${host}`, problem }],
        ),
      ),
    );
    return [...unreadable, ...[...this.#clashes.values()].flat()];
  }

  /** The route configuration in a composed object; undefined for any other object. */
  composedBy(object: string): string | undefined {
    return object.startsWith(MADE) ? object.slice(MADE.length) : undefined;
  }

  /** The route configurations that contain hosts of an object. */
  routesOf(object: string): string[] {
    return [...new Set((this.#ofObject.get(object) ?? []).map((id) => partsOf(id)[0]))];
  }

  /**
   * The objects that may have caused an error of a whole route configuration: those whose hosts the error names,
   * otherwise those that changed last.
   */
  suspects(routes: string, complaint: string): readonly string[] {
    const named = [...(this.#hosts.get(routes) ?? [])].flatMap(([host, byObject]) =>
      [...byObject.values()]
        .filter(({ domains }) => [host, ...domains].some((word) => word.length > 1 && complaint.includes(word)))
        .map(({ object }) => object),
    );
    return [...new Set(named.length > 0 ? named : this.#changed.get(routes))];
  }

  /**
   * In the order of the hosts' names. Of a host in several objects the first one is used, and of a domain the first
   * host with it.
   */
  #compose(name: string, hosts: ReadonlyMap<string, ReadonlyMap<string, Host>>): Spec {
    const owners = new Map<string, string>();
    const clashes: HostProblem[] = [];
    const values: JsonObject[] = [];
    for (const [id, byObject] of inOrder(hosts)) {
      const found = inOrder(byObject).find(([, { problem }]) => problem === undefined)?.[1];
      if (found === undefined) continue;
      const taken = found.domains.find((domain) => owners.has(domain));
      if (taken === undefined) {
        for (const domain of found.domains) owners.set(domain, id);
        values.push(found.value);
      } else
        clashes.push({
          object: found.object,
          host: `${name}/${id}`,
          problem: `the domain ${taken} is ${owners.get(taken)}'s`,
        });
    }
    this.#clashes.set(name, clashes);
    const value: JsonObject = { name, virtual_hosts: values };
    return { resources: [{ type: 'routeConfiguration', name, value }] } as ObjectSpec as Spec;
  }

  #replace(object: string, resources: readonly ObjectResource[]): void {
    for (const id of this.#ofObject.get(object) ?? []) this.#take(object, id);
    for (const { name, value } of resources) this.#put(object, name, value);
    const names = resources.map(({ name }) => name);
    if (names.length === 0) this.#ofObject.delete(object);
    else this.#ofObject.set(object, names);
  }

  #put(object: string, id: string, value: JsonObject): void {
    const [routes, host] = partsOf(id);
    const hosts = this.#hosts.get(routes) ?? new Map<string, Map<string, Host>>();
    this.#hosts.set(routes, hosts);
    this.#note(routes, object);
    const byObject = hosts.get(host) ?? new Map<string, Host>();
    hosts.set(host, byObject.set(object, hostOf(object, value)));
    this.#due.add(routes);
  }

  #note(routes: string, object: string): void {
    const noted = this.#changing.get(routes) ?? new Set<string>();
    this.#changing.set(routes, noted.add(object));
  }

  #take(object: string, id: string): void {
    const [routes, host] = partsOf(id);
    const byObject = this.#hosts.get(routes)?.get(host);
    byObject?.delete(object);
    if (byObject?.size === 0) this.#hosts.get(routes)?.delete(host);
    this.#due.add(routes);
  }
}

/** Names of route configurations contain no slash; those of hosts may. */
function partsOf(id: string): readonly [routes: string, host: string] {
  const slash = id.indexOf('/');
  return slash < 0 ? [id, ''] : [id.slice(0, slash), id.slice(slash + 1)];
}

/** Only the unreadable host is left out: in its route configuration it would invalidate all others. */
function hostOf(object: string, value: JsonObject): Host {
  try {
    const message = messageFromJson(VirtualHostSchema, value);
    const [problem] = violations(VirtualHostSchema, message);
    if (problem !== undefined) return { object, value, domains: [], problem };
    return { object, value, domains: message.domains };
  } catch (error) {
    return { object, value, domains: [], problem: error instanceof Error ? error.message : String(error) };
  }
}

function inOrder<V>(map: ReadonlyMap<string, V>): Array<readonly [string, V]> {
  return [...map].sort(([a], [b]) => (a < b ? -1 : 1));
}
