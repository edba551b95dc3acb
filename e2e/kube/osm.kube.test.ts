/** OSM's own CRDs on a real API server judge what plugin-osm writes. */
import { basename } from 'node:path';
import osmPlugin from '@meshrelay/plugin-osm';
import * as fixture from '@meshrelay/plugin-osm/fixture';
import { assert, realApiServer, sharedPath, test } from '@meshrelay/testing';
import { Client, targetOf } from '@meshrelay/testing/api-server';
import { CustomResources, type InstallableCrd } from '@meshrelay/testing/custom-resources';
import { assertAdmitted, assertAppliedOnce } from '../src/admitted.ts';
import { documentsOf, yamlFiles } from '../src/documents.ts';
import { goldenFleets } from '../src/golden-fleets.ts';

using client = new Client(targetOf(realApiServer()));
const folder = sharedPath('oracles', 'smi');
if (folder !== undefined) {
  const files = yamlFiles(folder, (name) => name.startsWith('osm-'));
  const crds = files.flatMap(documentsOf).filter(({ kind }) => kind === 'CustomResourceDefinition');
  const osm = await CustomResources.install(client, crds as unknown as InstallableCrd[]);

  test(`${files.map((file) => basename(file)).join(', ')}: a field that OSM does not know is refused`, async () => {
    const { status } = await osm.judge({
      apiVersion: 'split.smi-spec.io/v1alpha2',
      kind: 'TrafficSplit',
      metadata: { name: 'odd' },
      spec: { service: 'reviews', backends: [], unheardOf: true },
    } as never);
    assert.is(status, 400);
  });

  for (const { name, outputs } of goldenFleets(osmPlugin, fixture)) {
    test(`golden ${name}: every object is admitted`, () => assertAdmitted(osm, outputs));
    test(`golden ${name}: applying again writes nothing`, () => assertAppliedOnce(osm, outputs));
  }
}

test.run();
