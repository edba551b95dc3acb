/** A real API server with Meshrelay's CRDs validates what plugin-envoy has agents write and serve. */
import { crds } from '@meshrelay/api/crds';
import envoyPlugin from '@meshrelay/plugin-envoy';
import * as fixture from '@meshrelay/plugin-envoy/fixture';
import { realApiServer, test } from '@meshrelay/testing';
import { Client, targetOf } from '@meshrelay/testing/api-server';
import { CustomResources } from '@meshrelay/testing/custom-resources';
import { assertAdmitted, assertAppliedOnce } from '../../src/admitted.ts';
import { goldenFleets } from '../../src/golden-fleets.ts';

using client = new Client(targetOf(realApiServer()));
const own = await CustomResources.install(client, crds);

for (const { name, outputs } of goldenFleets(envoyPlugin, fixture)) {
  test(`golden ${name}: every object is admitted`, () => assertAdmitted(own, outputs));
  test(`golden ${name}: applying again writes nothing`, () => assertAppliedOnce(own, outputs));
}

test.run();
