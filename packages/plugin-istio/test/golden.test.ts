/**
 * Every golden case: its outputs and reports are as recorded, for a sample also with the inputs in reverse order.
 * Istio's API accepts the outputs, and the cases cover all fields of the policies.
 */
import { crdValidator, GoldenFolder, goldenChecks, goldenCoverageChecks, registerChecks } from '@meshrelay/plugin-kit';
import { meshCrdFiles, scaledInDeno, scaledSample, test } from '@meshrelay/testing';
import * as fixture from '../src/fixture.ts';
import istio from '../src/mod.ts';
import { GOLDEN_KINDS } from './golden-kinds.ts';

const crds = meshCrdFiles('istio');
const problemsOf = crds === undefined ? undefined : crdValidator(crds);

const folder = new URL('./golden', import.meta.url);
const reversed = new Set(scaledSample(new GoldenFolder(folder).cases()));
const golden = goldenChecks(istio, { folder, fixture, problemsOf, reverses: (name) => reversed.has(name) });

const coverage = goldenCoverageChecks(istio, {
  folder,
  kinds: GOLDEN_KINDS,
  excused: {
    'Settings spec.paused': 'a server that is paused sends nothing: its own tests show it',
  },
});

registerChecks(scaledInDeno([...golden, ...coverage]), test);

test.run();
