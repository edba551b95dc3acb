/** A real API server with OSM's own CRDs validates what plugin-osm writes. */
import { crds as own } from '@meshrelay/api/crds';
import osmPlugin from '@meshrelay/plugin-osm';
import * as fixture from '@meshrelay/plugin-osm/fixture';
import { assert, realApiServer, test } from '@meshrelay/testing';
import { Client, targetOf } from '@meshrelay/testing/api-server';
import { CustomResources } from '@meshrelay/testing/custom-resources';
import { assertAdmitted, assertAppliedOnce } from '../../src/admitted.ts';
import { goldenFleets } from '../../src/golden-fleets.ts';
import { osmCrds } from '../../src/mesh-crds.ts';

using client = new Client(targetOf(realApiServer()));
const crds = osmCrds();
if (crds !== undefined) {
  const osm = await CustomResources.install(client, [...own, ...crds]);

  test('control: a field that OSM does not know is rejected', async () => {
    const { status } = await osm.admit({
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
