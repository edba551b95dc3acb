/**
 * Every field that a golden case sets has an effect: without it, or with another value, an output or a status differs,
 * or a report names it.
 */
import { GoldenFolder, registerChecks, silentFieldChecks, unshownBy } from '@meshrelay/plugin-kit';
import { assert, test } from '@meshrelay/testing';
import * as fixture from '../src/fixture.ts';
import istio from '../src/mod.ts';
import { GOLDEN_KINDS } from './golden-kinds.ts';

const folder = new URL('./golden', import.meta.url);

// The other fields of a KubernetesCluster act on the programs: mgmt-server tests them.
const kinds = [...GOLDEN_KINDS, 'KubernetesCluster'];
registerChecks(silentFieldChecks({ plugin: istio, fixture }, { folder, kinds }), test);

test('golden cases set the fields of a KubernetesCluster that translation reads', () => {
  const cases = new GoldenFolder(folder);
  const unset = unshownBy(
    cases.cases().map((name) => cases.input(name)),
    ['KubernetesCluster'],
  );
  const fields = ['clusterDomain', 'gatewayAddresses', 'trustDomains'];
  assert.equal(
    fields.filter((field) => unset.includes(`KubernetesCluster spec.${field}`)),
    [],
  );
});

test.run();
