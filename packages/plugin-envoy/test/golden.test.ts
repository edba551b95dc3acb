/**
 * Every golden case: its outputs and reports are as recorded, for a sample also with the inputs in reverse order. The
 * cases cover all fields of the policies.
 */
import { GoldenFolder, goldenChecks, goldenCoverageChecks, registerChecks } from '@meshrelay/plugin-kit';
import { scaledInDeno, scaledSample, test } from '@meshrelay/testing';
import * as fixture from '../src/fixture.ts';
import envoy from '../src/mod.ts';
import { GOLDEN_KINDS } from './golden-kinds.ts';

const folder = new URL('./golden', import.meta.url);
const reversed = new Set(scaledSample(new GoldenFolder(folder).cases()));
const golden = goldenChecks(envoy, { folder, fixture, reverses: (name) => reversed.has(name) });

const BY_CORE = "core selects, and the plugin sees what is selected: Istio's golden cases show how";
const OF_OTHERS = 'it is about objects and gateways of Istio and OSM, of which plain Envoys have none';

const coverage = goldenCoverageChecks(envoy, {
  folder,
  kinds: GOLDEN_KINDS,
  excused: {
    'TrafficPolicy spec.sourceSelector': BY_CORE,
    'TrafficPolicy spec.destinationSelector': BY_CORE,
    'AccessPolicy spec.sourceSelector of': BY_CORE,
    'AccessPolicy spec.sourceSelector[].kubeIdentityMatcher': BY_CORE,
    'AccessPolicy spec.destinationSelector': BY_CORE,
    'Settings spec.discovery': OF_OTHERS,
    'Settings spec.patches': OF_OTHERS,
    'Settings spec.paused': 'a server that is paused sends nothing: its own tests show it',
  },
});

registerChecks(scaledInDeno([...golden, ...coverage]), test);

test.run();
