/** The plugin keeps what every mesh plugin promises, and its capability table tells the truth. */
import { capabilityChecks, registerChecks } from '@meshrelay/plugin-kit';
import { test } from '@meshrelay/testing';
import * as fixture from '../src/fixture.ts';
import istio from '../src/mod.ts';

registerChecks(capabilityChecks({ plugin: istio, fixture }), test);

test.run();
