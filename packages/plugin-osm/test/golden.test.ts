/**
 * Every golden case: its outputs and reports are as recorded, for a sample also with the inputs in reverse order. OSM's
 * CRDs accept the outputs.
 */
import { crdValidator, GoldenFolder, goldenChecks, goldenCoverageChecks, registerChecks } from '@meshrelay/plugin-kit';
import { meshCrdFiles, scaledInDeno, scaledSample, test } from '@meshrelay/testing';
import * as fixture from '../src/fixture.ts';
import osm from '../src/mod.ts';
import { GOLDEN_KINDS } from './golden-kinds.ts';

const crds = meshCrdFiles('osm');
const problemsOf = crds === undefined ? undefined : crdValidator(crds);

const folder = new URL('./golden', import.meta.url);
const reversed = new Set(scaledSample(new GoldenFolder(folder).cases()));
const golden = goldenChecks(osm, { folder, fixture, problemsOf, reverses: (name) => reversed.has(name) });

const BY_CORE = "core selects, and the plugin sees what is selected: Istio's golden cases show how";
const OF_ISTIO = 'it is about the gateways of Istio';

const coverage = goldenCoverageChecks(osm, {
  folder,
  kinds: GOLDEN_KINDS,
  excused: {
    'TrafficPolicy spec.destinationSelector': BY_CORE,
    'AccessPolicy spec.destinationSelector': BY_CORE,
    'Settings spec.mtls': 'the mode is one of Istio: proxies of OSM know mutual TLS alone',
    'Settings spec.discovery': OF_ISTIO,
    'Settings spec.paused': 'a server that is paused sends nothing: its own tests show it',
  },
});

registerChecks(scaledInDeno([...golden, ...coverage]), test);

test.run();
