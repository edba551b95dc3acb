/** The plugin discovers the fixture's mesh, and nothing without it: all other properties depend on this. */
import type { KubeObject, MeshSpec } from '@meshrelay/api';
import { agentObjects, canonicalJson } from '@meshrelay/relay-core';
import { expandFleet } from '../fleet/expand-fleet.ts';
import type { ClusterSpec } from '../fleet/fleet-spec.ts';
import type { ExpectedMesh } from '../fleet/mesh-fixture.ts';
import { loaded, type TestedPlugin } from '../tested-plugin.ts';

/** @throws Error naming the part of the fixture that is not discovered, or an object discovered without it */
export function findsFixture(tested: TestedPlugin): void {
  const { name } = tested.plugin;
  const both = found(tested, {});
  if (both.meshes.length === 0)
    throw new Error(
      `discover finds no mesh in what the fixture's controlPlane({}) makes, so nothing else can be checked; call meshes(...) with one, or make the Deployment it looks for`,
    );
  if (both.meshes.length > 1)
    throw new Error(
      `discover finds ${both.meshes.length} meshes in one control plane of the fixture: ${both.meshes.join(', ')}`,
    );
  if (both.members === 0)
    throw new Error(
      `discover finds no member of mesh ${both.meshes[0]} among the pods that the fixture has injected; call members(...) with the mesh's name and namespace for each, or make the container it looks for`,
    );
  const [mesh] = both.objects;
  if (mesh !== undefined) refuseOtherFacts(mesh, tested.fixture.mesh ?? {});
  const alone = found(tested, { sidecars: false });
  if (alone.members > 0)
    throw new Error(`discover takes pods that the fixture has not injected for members of ${name}`);
  const none = found(tested, { sidecars: false, controlPlanes: [] });
  if (none.meshes.length > 0)
    throw new Error(`discover finds mesh ${none.meshes[0]} in a cluster of which the fixture has made nothing`);
}

interface Setting {
  readonly sidecars?: boolean;
  /** Default: one with its defaults. */
  readonly controlPlanes?: readonly object[];
}

/** The discovered objects of a cluster with one Service. */
function found(tested: TestedPlugin, { sidecars = true, controlPlanes }: Setting) {
  const { plugin, fixture } = tested;
  const cluster: ClusterSpec = {
    services: { 'books.shop': { ports: ['http:80:8080'], sidecars } },
    ...(controlPlanes === undefined ? {} : { [plugin.name]: controlPlanes }),
  };
  const { clusters } = expandFleet({ about: '', clusters: { 'cluster-1': cluster } }, { type: plugin.name, fixture });
  const objects = clusters.flatMap((one) => agentObjects(one, loaded(tested)));
  const found = objects.filter(({ kind }) => kind === 'Mesh');
  const meshes = found.map(({ metadata }) => `${metadata.namespace}/${metadata.name}`);
  // The control plane may be a workload of its own mesh.
  const books = objects.filter(({ kind, metadata }) => kind === 'Workload' && metadata.namespace === 'shop');
  return { meshes, objects: found, members: books.filter(({ spec }) => isMember(spec)).length };
}

/** @throws Error naming the first fact that differs from what the fixture's author expects */
function refuseOtherFacts({ metadata, spec }: KubeObject, expected: ExpectedMesh): void {
  const { installation, ...facts } = spec as MeshSpec;
  const actual: ExpectedMesh = {
    name: metadata.name,
    ...installation,
    ...(facts.trustDomain === undefined ? {} : { trustDomain: facts.trustDomain }),
    ...(facts.controlPlaneServiceAccount === undefined ? {} : { serviceAccount: facts.controlPlaneServiceAccount }),
    ...(facts.revision === undefined ? {} : { revision: facts.revision }),
    capturesDns: facts.smartDnsProxyingEnabled === true,
  };
  for (const [name, value] of Object.entries(expected)) {
    const found = canonicalJson(actual[name as keyof ExpectedMesh] ?? null);
    if (found !== canonicalJson(value))
      throw new Error(
        `discover finds ${name} ${found} in what the fixture's controlPlane({}) makes; the fixture expects ${canonicalJson(value)}`,
      );
  }
}

function isMember(spec: unknown): boolean {
  return (spec as { readonly mesh?: unknown } | undefined)?.mesh !== undefined;
}
