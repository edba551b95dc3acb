/** Every golden case: its outputs and reports are as recorded, whatever the order of its inputs. */
import { goldenChecks, registerChecks } from '@meshrelay/plugin-kit';
import { test } from '@meshrelay/testing';
import * as fixture from '../src/fixture.ts';
import envoy from '../src/mod.ts';

registerChecks(goldenChecks(envoy as never, { folder: new URL('./golden', import.meta.url), fixture }), test);

test.run();
