/** Expands the short form of a fleet to the objects of each cluster. */
import type { KubeObject } from '@meshrelay/api';
import type { ClusterObjects } from '@meshrelay/relay-core';
import { fleetProblems } from './fleet-problems.ts';
import type { ClusterSpec, FleetSpec } from './fleet-spec.ts';
import type { MeshFixture } from './mesh-fixture.ts';
import { NODE_NAME, nodeObject } from './node-object.ts';
import { policyObject } from './policy-object.ts';
import { serviceObjects } from './service-objects.ts';

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
  checkFixture(mesh);
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
function checkFixture({ type, fixture }: NamedFixture): void {
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
