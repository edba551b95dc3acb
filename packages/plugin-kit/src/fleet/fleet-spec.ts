/** The short form of fleets, as in `input.yaml` of a golden case. */
import type { KubeObject } from '@meshrelay/api';
import type { ClusterObjects } from '@meshrelay/relay-core';
import { fleetProblems } from './fleet-problems.ts';
import type { MeshFixture } from './mesh-fixture.ts';
import { NODE_NAME, type NodeSpec, nodeObject } from './node-object.ts';
import { type PolicySpec, policyObject } from './policy-object.ts';
import { type ServiceSpec, serviceObjects } from './service-objects.ts';

/**
 * Short form of a cluster. The key with the name of a mesh type holds its control planes; omitted: one with its
 * defaults; empty: none.
 */
export interface ClusterSpec {
  /** Of all nodes. */
  readonly region?: string;
  /** Addresses of the only node, by type. */
  readonly node?: Readonly<Record<string, string>>;
  /** By name, instead of the only node; the pods of each Service are placed on them in turn. */
  readonly nodes?: Readonly<Record<string, NodeSpec>>;
  /** By `<name>.<namespace>`. */
  readonly services?: Readonly<Record<string, ServiceSpec>>;
  /** Labels of namespaces, by name; others have none. */
  readonly namespaces?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly policies?: readonly PolicySpec[];
  /** Complete objects. */
  readonly objects?: readonly KubeObject[];
  readonly [meshType: string]: unknown;
}

/** Short form of a fleet. */
export interface FleetSpec {
  /** The subject of the case, for readers. */
  readonly about: string;
  /** True: the case is about discovery, so the discovered objects are recorded too. */
  readonly discovers?: boolean;
  readonly clusters: Readonly<Record<string, ClusterSpec>>;
  readonly management?: readonly PolicySpec[];
}

/** The objects of a fleet. */
export interface Fleet {
  readonly clusters: readonly ClusterObjects[];
  /** Of the management cluster. */
  readonly management: readonly KubeObject[];
}

/** A mesh fixture with its type, as a plugin names it. */
export interface NamedFixture {
  readonly type: string;
  readonly fixture: MeshFixture;
}

/**
 * The objects of each cluster and of the management cluster.
 * @throws Error naming every field that is misspelled, missing or of a wrong type, since a fleet without it would test
 * something else
 */
export function expandFleet(spec: FleetSpec, mesh: NamedFixture): Fleet {
  const problems = fleetProblems(spec, mesh.type);
  if (problems.length > 0) throw new Error(`no fleet can be made of this:\n  ${problems.join('\n  ')}`);
  refuseLacking(mesh);
  const { clusters, management = [] } = spec;
  return {
    clusters: Object.entries(clusters).map(([name, spec], position) => ({
      name,
      objects: clusterObjects(spec, position + 1, mesh),
    })),
    management: management.map(policyObject),
  };
}

/** @throws Error naming a function that the fixture lacks */
function refuseLacking({ type, fixture }: NamedFixture): void {
  for (const name of ['controlPlane', 'injected'] as const) {
    if (typeof (fixture as Partial<MeshFixture> | undefined)?.[name] === 'function') continue;
    throw new Error(`the fixture of ${type} has no function "${name}"; it takes two, as MeshFixture says`);
  }
}

function clusterObjects(spec: ClusterSpec, position: number, { type, fixture }: NamedFixture): KubeObject[] {
  const { region, node = { InternalIP: `10.0.${position}.1` }, services = {} } = spec;
  const { nodes = { [NODE_NAME]: { addresses: node } } } = spec;
  const controlPlanes = (spec[type] ?? [{}]) as ReadonlyArray<Readonly<Record<string, unknown>>>;
  return [
    ...Object.entries(nodes).map(([name, one]) => nodeObject(name, region, one)),
    ...controlPlanes.flatMap((one) => madeBy(fixture, one)),
    ...Object.entries(services).flatMap(([name, service], index) =>
      serviceObjects(name, service, {
        network: `10.${position}.${index}`,
        nodes: Object.keys(nodes),
        injected: (pod) => injected(pod, fixture),
      }),
    ),
    ...Object.entries(spec.namespaces ?? {}).map(namespaceObject),
    ...(spec.policies ?? []).map(policyObject),
    ...(spec.objects ?? []),
  ];
}

function namespaceObject([name, labels]: readonly [string, Readonly<Record<string, string>>]): KubeObject {
  return { apiVersion: 'v1', kind: 'Namespace', metadata: { name, labels }, spec: {} };
}

function madeBy(fixture: MeshFixture, spec: Readonly<Record<string, unknown>>): readonly KubeObject[] {
  const objects: unknown = fixture.controlPlane(spec);
  if (Array.isArray(objects) && objects.every(isNamed)) return objects;
  throw new Error(`the fixture's controlPlane gives ${JSON.stringify(objects)}; expected a list of Kubernetes objects`);
}

function injected(pod: KubeObject, fixture: MeshFixture): KubeObject {
  const made: unknown = fixture.injected(pod);
  if (isNamed(made)) return made;
  throw new Error(
    `the fixture's injected gives ${JSON.stringify(made)} of pod ${pod.metadata.name}; expected the pod as the injector leaves it`,
  );
}

function isNamed(value: unknown): value is KubeObject {
  return typeof (value as Partial<KubeObject> | null | undefined)?.metadata?.name === 'string';
}
