/** The conformance checks of the kit, and the golden cases. `MESHRELAY_GOLDEN=update npm test` writes the latter. */
import { test } from 'node:test';
import { GoldenFolder, goldenChecks, pluginConformance, registerChecks } from '@meshrelay/plugin-kit';
import plugin from '../src/mod.ts';
import * as fixture from './fixture.ts';

const folder = new URL('./golden', import.meta.url);
const cases = new GoldenFolder(folder);
const fleets = cases.cases().map((name) => cases.input(name));
registerChecks(pluginConformance(plugin, { fixture, fleets }), test);
registerChecks(goldenChecks(plugin, { folder, fixture }), test);
