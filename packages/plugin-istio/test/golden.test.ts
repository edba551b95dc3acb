/** Every golden case: its outputs and reports are as recorded, whatever the order of its inputs, and Istio's API takes them. */
import { crdValidator, goldenChecks, registerChecks } from '@meshrelay/plugin-kit';
import { meshCrdFiles, test } from '@meshrelay/testing';
import * as fixture from '../src/fixture.ts';
import istio from '../src/mod.ts';

const crds = meshCrdFiles('istio');
const wasmPlugin = new URL('./support/wasm-plugin.crd.yaml', import.meta.url).pathname;
const problemsOf = crds === undefined ? undefined : crdValidator([...crds, wasmPlugin]);

registerChecks(
  goldenChecks(istio as never, { folder: new URL('./golden', import.meta.url), fixture, problemsOf }),
  test,
);

test.run();
