/** Every golden case: its outputs and reports are as recorded, whatever the order of its inputs; they show all of what is asked of workloads. */
import { goldenChecks, goldenCoverageChecks, registerChecks } from '@meshrelay/plugin-kit';
import { test } from '@meshrelay/testing';
import * as fixture from '../src/fixture.ts';
import envoy from '../src/mod.ts';

const folder = new URL('./golden', import.meta.url);
registerChecks(goldenChecks(envoy as never, { folder, fixture }), test);
// Policies of other kinds core resolves alike for all meshes: Istio's golden cases show all of their fields.
registerChecks(goldenCoverageChecks({ folder, kinds: ['AccessLogRecord', 'WasmDeployment'] }), test);

test.run();
