/** A real API server with Istio's own CRDs, CEL included, validates what plugin-istio writes. */
import { basename } from 'node:path';
import { crds as own } from '@meshrelay/api/crds';
import istioPlugin from '@meshrelay/plugin-istio';
import * as fixture from '@meshrelay/plugin-istio/fixture';
import { assert, realApiServer, sharedPath, test } from '@meshrelay/testing';
import { Client, targetOf } from '@meshrelay/testing/api-server';
import { CustomResources } from '@meshrelay/testing/custom-resources';
import { assertAdmitted, assertAppliedOnce } from '../../src/admitted.ts';
import { documentsOf, yamlFiles } from '../../src/documents.ts';
import { goldenFleets } from '../../src/golden-fleets.ts';
import { istioCrds } from '../../src/mesh-crds.ts';

using client = new Client(targetOf(realApiServer()));
const istio = await CustomResources.install(client, [...own, ...(await istioCrds())]);

const fixtures = sharedPath('oracles', 'istio', 'crd-cel');
for (const path of fixtures === undefined ? [] : yamlFiles(fixtures)) {
  test(`control ${basename(path)}: the CRDs give the results of Istio's own tests`, async () => {
    let evaluated = 0;
    for (const document of documentsOf(path)) {
      const { _err: rejection, ...object } = document as typeof document & { readonly _err?: string };
      const { status, text } = await istio.admit(object);
      if (rejection !== undefined) {
        assert.is(status, 422, text);
        assert.ok(JSON.parse(text).message.includes(rejection), `${text} does not say ${rejection}`);
        evaluated += 1;
      } else if (!basename(path).endsWith('-invalid.yaml')) {
        assert.is(status, 201, text);
        evaluated += 1;
      }
    }
    assert.ok(evaluated > 0);
  });
}

for (const { name, outputs } of goldenFleets(istioPlugin, fixture)) {
  test(`golden ${name}: every object is admitted`, () => assertAdmitted(istio, outputs));
  test(`golden ${name}: applying again writes nothing`, () => assertAppliedOnce(istio, outputs));
}

test.run();
