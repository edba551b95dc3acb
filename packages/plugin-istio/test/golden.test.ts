/** Every golden case: its outputs and reports are as recorded, whatever the order of its inputs, and Istio's API takes them; they show all of the policies' fields. */
import { crdValidator, goldenChecks, goldenCoverageChecks, registerChecks } from '@meshrelay/plugin-kit';
import { meshCrdFiles, test } from '@meshrelay/testing';
import * as fixture from '../src/fixture.ts';
import istio from '../src/mod.ts';

const crds = meshCrdFiles('istio');
const problemsOf = crds === undefined ? undefined : crdValidator(crds);

const folder = new URL('./golden', import.meta.url);
registerChecks(goldenChecks(istio, { folder, fixture, problemsOf }), test);

const KINDS = [
  ...['TrafficPolicy', 'AccessPolicy', 'VirtualMesh', 'VirtualDestination', 'Workspace', 'WorkspaceSettings'],
  ...['AccessLogRecord', 'WasmDeployment', 'Settings'],
];

registerChecks(
  goldenCoverageChecks(istio, {
    folder,
    kinds: KINDS,
    excused: {
      'Settings spec.paused': 'a server that is paused sends nothing: its own tests show it',
    },
  }),
  test,
);

test.run();
