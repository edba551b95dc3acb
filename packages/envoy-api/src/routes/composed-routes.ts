/**
 * Route configurations made of hosts that stand in many objects: a table over all Services of a cluster fits into no single one, and an edit of one host is to be an
 * edit of one object. Stands before whatever takes objects up, and hands it everything else as it is.
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

/** What an XdsConfig says, as far as it matters here. */
export interface ObjectSpec {
  readonly resources?: readonly ObjectResource[];
}

/** Takes objects up by their names. */
export interface ObjectTarget<Spec extends ObjectSpec> {
  set(name: string, spec: Spec): void;
  delete(name: string): void;
}

/** A host that is in no route configuration: Envoy would refuse the whole of it. */
export interface HostProblem {
  /** Of the object. */
  readonly object: string;
  /** `<route configuration>/<host>`. */
  readonly host: string;
  /** What is wrong, naming the field or the domain. */
  readonly problem: string;
}

/** What the objects made here are called; no object of Kubernetes has such a name. */
const MADE = 'routes of ';

interface Host {
  readonly object: string;
  readonly value: JsonObject;
  readonly domains: readonly string[];
  /** Why it cannot be read. */
  readonly problem?: string;
}

/** Keeps the hosts of all objects, and one object with a route configuration for each that has some. */
export class ComposedRoutes<Spec extends ObjectSpec> {
  readonly #target: ObjectTarget<Spec>;
  /** By route configuration, then by host, then by object. */
  readonly #hosts = new Map<string, Map<string, Map<string, Host>>>();
  readonly #ofObject = new Map<string, readonly string[]>();
  readonly #due = new Set<string>();
  /** Objects whose hosts have changed, by route configuration: since the last flush, and in the flush before. */
  #changing = new Map<string, Set<string>>();
  readonly #changed = new Map<string, ReadonlySet<string>>();
  readonly #clashes = new Map<string, readonly HostProblem[]>();

  constructor(target: ObjectTarget<Spec>) {
    this.#target = target;
  }

  /** Puts an object, new or changed. What it says of hosts counts from the next {@link flush}. */
  set(name: string, spec: Spec): void {
    const all = spec.resources ?? [];
    const hosts = all.filter(({ type }) => type === 'virtualHost');
    this.#replace(name, hosts);
    this.#target.set(
      name,
      hosts.length === 0 ? spec : { ...spec, resources: all.filter((one) => !hosts.includes(one)) },
    );
  }

  /** Takes an object away. */
  delete(name: string): void {
    this.#replace(name, []);
    this.#target.delete(name);
  }

  /** Makes the route configurations anew whose hosts have changed: once for all objects that came together. */
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

  /** Hosts that are left out, in no order that matters. */
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

  /** The route configuration that an object made here holds; undefined for any other object. */
  composedBy(object: string): string | undefined {
    return object.startsWith(MADE) ? object.slice(MADE.length) : undefined;
  }

  /** The route configurations that an object has hosts in. */
  routesOf(object: string): string[] {
    return [...new Set((this.#ofObject.get(object) ?? []).map((id) => partsOf(id)[0]))];
  }

  /** The objects that a complaint about a whole route configuration may be about: those whose hosts it names, else those that changed last. */
  suspects(routes: string, complaint: string): readonly string[] {
    const named = [...(this.#hosts.get(routes) ?? [])].flatMap(([host, byObject]) =>
      [...byObject.values()]
        .filter(({ domains }) => [host, ...domains].some((word) => word.length > 1 && complaint.includes(word)))
        .map(({ object }) => object),
    );
    return [...new Set(named.length > 0 ? named : this.#changed.get(routes))];
  }

  /** In the order of the hosts' names; of one in several objects the first counts, and of a domain the first host that has it. */
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

/** Names of route configurations have no slash; those of hosts may. */
function partsOf(id: string): readonly [routes: string, host: string] {
  const slash = id.indexOf('/');
  return slash < 0 ? [id, ''] : [id.slice(0, slash), id.slice(slash + 1)];
}

/** A host that cannot be read is left out alone: within its route configuration it would take all others with it. */
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
