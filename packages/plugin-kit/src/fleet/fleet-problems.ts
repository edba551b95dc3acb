/** Finds errors in the short form of a fleet, where a misspelled field would otherwise be ignored silently. */
import { kinds } from '@meshrelay/api';
import type { ClusterSpec, FleetSpec } from './fleet-spec.ts';
import type { NodeSpec } from './node-object.ts';
import type { ServiceSpec } from './service-objects.ts';

/** Every field of a type: a missing or an unknown one does not compile. */
type FieldsOf<T> = Readonly<Record<keyof T, true>>;

/** The fields that a type declares by name. */
type Named<T> = { readonly [Name in keyof T as string extends Name ? never : Name]: T[Name] };

const FLEET = Object.keys({
  about: true,
  discovers: true,
  clusters: true,
  management: true,
} satisfies FieldsOf<FleetSpec>);
const CLUSTER = Object.keys({
  region: true,
  node: true,
  nodes: true,
  services: true,
  namespaces: true,
  policies: true,
  objects: true,
} satisfies FieldsOf<Named<ClusterSpec>>);
const SERVICE = Object.keys({
  ports: true,
  versions: true,
  accounts: true,
  account: true,
  sidecars: true,
  podAnnotations: true,
  annotations: true,
  labels: true,
  selector: true,
  containerPorts: true,
  spec: true,
  loadBalancer: true,
  addresses: true,
} satisfies FieldsOf<ServiceSpec>);
const NODE = Object.keys({ addresses: true, zone: true, ready: true } satisfies FieldsOf<NodeSpec>);
const POLICY = ['namespace', 'metadata', 'spec', 'status'];

const PORT = /^[^:]*:\d+(:[^:]+(:\d+)?)?$/;

/** One line for each error, with its location; empty if the fleet is valid. `type` is the mesh's. */
export function fleetProblems(spec: unknown, type: string): readonly string[] {
  if (!isObject(spec)) return [`it is ${shown(spec)}; expected an object with "about" and "clusters"`];
  const { about, clusters, management = [] } = spec;
  return [
    ...unknownFields(spec, '', FLEET),
    ...(typeof about === 'string' ? [] : ['about is missing; say in a sentence what the case is about']),
    ...(isObject(clusters) && Object.keys(clusters).length > 0
      ? inEach(clusters, 'clusters', (cluster, place) => clusterProblems(cluster, place, type))
      : ['clusters is missing or empty; expected at least one cluster by its name']),
    ...policyProblems(management, 'management'),
  ];
}

function clusterProblems(cluster: unknown, place: string, type: string): readonly string[] {
  if (!isObject(cluster))
    return [`${place} is ${shown(cluster)}; expected an object, {} for a cluster with the mesh alone`];
  const { services = {}, nodes = {}, policies = [], objects = [] } = cluster;
  return [
    ...unknownFields(cluster, place, [...CLUSTER, type]),
    ...listProblems(cluster[type] ?? [], `${place}.${type}`, 'the control planes, {} for one with defaults'),
    ...inEach(services, `${place}.services`, serviceProblems),
    ...inEach(nodes, `${place}.nodes`, (node, where) =>
      isObject(node)
        ? unknownFields(node, where, NODE)
        : [`${where} is ${shown(node)}; expected an object with "addresses"`],
    ),
    ...policyProblems(policies, `${place}.policies`),
    ...listProblems(objects, `${place}.objects`, 'Kubernetes objects'),
  ];
}

function serviceProblems(service: unknown, place: string): readonly string[] {
  if (!isObject(service) || !Array.isArray(service['ports']))
    return [`${place}.ports is missing; expected a list such as ['http:80:8080']`];
  return [
    ...unknownFields(service, place, SERVICE),
    ...service['ports']
      .filter((port) => typeof port !== 'string' || !PORT.test(port))
      .map(
        (port) =>
          `${place}.ports has ${shown(port)}; expected name:port, name:port:targetPort or name:port:targetPort:nodePort`,
      ),
  ];
}

function policyProblems(policies: unknown, place: string): readonly string[] {
  const expected = 'objects of Meshrelay, such as { TrafficPolicy: slow, spec: { … } }';
  const problems = listProblems(policies, place, expected);
  if (problems.length > 0) return problems;
  return (policies as readonly object[]).flatMap((policy, index) => {
    const where = `${place}.${index}`;
    const [[kind, name] = ['nothing', ''], ...more] = Object.entries(policy).filter(([field]) => field !== 'namespace');
    if (!kinds.some((known) => known.kind === kind))
      return [
        `${where} begins with ${kind}, which is not a Meshrelay kind; its first field has a kind and a name, such as TrafficPolicy: slow`,
      ];
    if (typeof name !== 'string' || name === '')
      return [`${where}.${kind} is ${shown(name)}; expected the name of the object`];
    return unknownFields(Object.fromEntries(more), where, POLICY);
  });
}

function inEach(
  members: unknown,
  place: string,
  problemsOf: (member: unknown, place: string) => readonly string[],
): readonly string[] {
  if (!isObject(members)) return [`${place} is ${shown(members)}; expected an object by names`];
  return Object.entries(members).flatMap(([name, member]) => problemsOf(member, `${place}.${name}`));
}

function listProblems(list: unknown, place: string, expected: string): readonly string[] {
  if (!Array.isArray(list)) return [`${place} is ${shown(list)}; expected a list of ${expected}`];
  return list.flatMap((member, index) =>
    isObject(member) ? [] : [`${place}.${index} is ${shown(member)}; expected one of ${expected}`],
  );
}

function unknownFields(value: object, place: string, known: readonly string[]): readonly string[] {
  return Object.keys(value)
    .filter((field) => !known.includes(field))
    .map((field) => `${place}${place === '' ? '' : '.'}${field} is not known; there are ${known.join(', ')}`);
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function shown(value: unknown): string {
  return JSON.stringify(value) ?? String(value);
}
