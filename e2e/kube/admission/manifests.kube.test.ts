/**
 * Third-party manifests under random policies: in addition to the users' mesh objects, a real API server accepts every
 * generated object.
 */
import process from 'node:process';
import { crds as own } from '@meshrelay/api/crds';
import { clusterOf, INPUT_FOLDERS, type InputCluster, planeOf, randomPolicies } from '@meshrelay/properties/inputs';
import { assert, realApiServer, scaledRuns, sharedPath, test } from '@meshrelay/testing';
import { Client, type Reply, targetOf } from '@meshrelay/testing/api-server';
import { type CustomResource, CustomResources, type InstallableCrd } from '@meshrelay/testing/custom-resources';
import { holdInTurn } from '@meshrelay/testing/random-runs';
import { assertAdmitted } from '../../src/admitted.ts';
import { istioCrds, osmCrds } from '../../src/mesh-crds.ts';
import { outputsOf } from '../../src/outputs.ts';

/** Number of random policy sets per folder. */
const RUNS = scaledRuns(25);
const SEED = Number(process.env['MESHRELAY_SEED'] ?? 20_261_122);

/** Kinds that a sample must include. */
const WRITTEN = {
  istio: [
    ...['AccessLogConfig', 'AuthorizationPolicy', 'DestinationRule', 'PeerAuthentication', 'Telemetry'],
    ...['VirtualService', 'WasmPlugin'],
  ],
  osm: ['HTTPRouteGroup', 'TrafficSplit', 'TrafficTarget', 'UpstreamTrafficSetting'],
} as const;

using client = new Client(targetOf(realApiServer()));
const crds = { istio: await istioCrds(), osm: osmCrds() };

for (const [folder, mesh] of INPUT_FOLDERS) {
  const path = sharedPath('inputs', folder);
  const served = crds[mesh];
  if (path !== undefined && served !== undefined)
    test(`${folder}: every output is accepted, and no object of the user changes`, () =>
      admit(clusterOf(path, mesh), mesh, served));
}

/** Applies the outputs of random policies, as an agent does, and deletes them again. */
async function admit(cluster: InputCluster, mesh: 'istio' | 'osm', served: readonly InstallableCrd[]): Promise<void> {
  const server = await CustomResources.install(client, [...own, ...served]);
  const unmanaged = cluster.users.filter((object) => server.serves(object));
  const written = new Set<string>();
  try {
    for (const object of unmanaged) taken(object, await server.create(object));
    const before = await textOf(server, unmanaged);
    await holdInTurn({
      what: `sets of policies on ${cluster.users.length} objects`,
      values: randomPolicies(cluster, mesh),
      property: async (management) => {
        const outputs = outputsOf(planeOf(cluster.objects, management));
        await assertAdmitted(server, outputs);
        try {
          for (const object of outputs) taken(object, await server.apply(object));
          assert.equal(await textOf(server, unmanaged), before);
        } finally {
          for (const object of outputs) await server.delete(object);
        }
        for (const { kind } of outputs) written.add(kind);
      },
      runs: RUNS,
      seed: SEED,
      report: console.log,
    });
  } finally {
    for (const object of unmanaged) await server.delete(object);
  }
  const missing = WRITTEN[mesh].filter((kind) => !written.has(kind));
  assert.equal(missing, [], 'the sample shows nothing of these');
}

function taken({ kind, metadata }: CustomResource, { status, text }: Reply): void {
  assert.ok(status === 200 || status === 201, `${kind} ${metadata?.namespace}/${metadata?.name} is refused: ${text}`);
}

/** The objects as the server stores them. */
async function textOf(server: CustomResources, objects: readonly CustomResource[]): Promise<string[]> {
  const replies = await Promise.all(objects.map((object) => server.read(object)));
  return replies.map(({ text }) => text);
}

test.run();
