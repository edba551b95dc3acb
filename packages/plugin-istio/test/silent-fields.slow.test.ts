/**
 * Every field that a golden case sets has an effect: without it, or with another value, an output or a status differs,
 * or a report names it.
 */
import { registerChecks, silentFieldChecks } from '@meshrelay/plugin-kit';
import { test } from '@meshrelay/testing';
import * as fixture from '../src/fixture.ts';
import istio from '../src/mod.ts';
import { GOLDEN_KINDS } from './golden-kinds.ts';

const folder = new URL('./golden', import.meta.url);

registerChecks(silentFieldChecks({ plugin: istio, fixture }, { folder, kinds: GOLDEN_KINDS }), test);

test.run();
