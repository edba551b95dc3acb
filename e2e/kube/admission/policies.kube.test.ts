/**
 * A real API server accepts users' objects of Meshrelay's kinds wherever Meshrelay accepts them, and rejects them only
 * where Meshrelay also reports an error.
 */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { decodeObject } from '@meshrelay/api';
import { crds } from '@meshrelay/api/crds';
import istio from '@meshrelay/plugin-istio';
import * as istioFixture from '@meshrelay/plugin-istio/fixture';
import osm from '@meshrelay/plugin-osm';
import * as osmFixture from '@meshrelay/plugin-osm/fixture';
import { assert, realApiServer, sharedPath, test } from '@meshrelay/testing';
import { Client, targetOf } from '@meshrelay/testing/api-server';
import { type CustomResource, CustomResources } from '@meshrelay/testing/custom-resources';
import { documentsOf, yamlFiles } from '../../src/documents.ts';
import { goldenFleets } from '../../src/golden-fleets.ts';

using client = new Client(targetOf(realApiServer()));
const server = await CustomResources.install(client, crds);

for (const [plugin, fixture] of [
  [istio, istioFixture],
  [osm, osmFixture],
] as const) {
  test(`golden cases of ${plugin.name}: the server and Meshrelay agree on every policy`, async () => {
    const cases = goldenFleets(plugin, fixture);
    assert.ok(cases.length > 0);
    for (const { written } of cases) for (const object of written) await assertAgreement(object);
  });
}

const examples = sharedPath('examples');
if (examples !== undefined) {
  for (const name of readdirSync(examples).sort()) {
    test(`worked case ${name}: every Meshrelay object is accepted`, async () => {
      const files = yamlFiles(join(examples, name), (file) => file.startsWith('config'));
      const objects = files.flatMap(documentsOf);
      assert.ok(objects.length > 0);
      for (const object of objects) assert.is(await assertAgreement(object), true);
    });
  }
}

/** Fails if only one of both accepts the object; resolves with whether both do. */
async function assertAgreement(object: CustomResource): Promise<boolean> {
  const { status, text } = await server.admit(object);
  const { problems, reports = [] } = decodeObject(JSON.parse(JSON.stringify(object)));
  const where = `${object.kind} ${object.metadata?.namespace}/${object.metadata?.name}`;
  if (status === 201) assert.is(problems, undefined, `${where}: ${JSON.stringify(problems)}`);
  else assert.ok((problems ?? reports).length > 0, `${where} is refused by the server alone: ${text}`);
  return status === 201;
}

test.run();
