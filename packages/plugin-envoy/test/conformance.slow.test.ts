/** Conformance checks of the plugin that take long. */
import { pluginConformance, registerChecks } from '@meshrelay/plugin-kit';
import { test } from '@meshrelay/testing';
import * as fixture from '../src/fixture.ts';
import envoy from '../src/mod.ts';

registerChecks(
  pluginConformance(envoy, { fixture }).filter(({ slow = false }) => slow),
  test,
);

test.run();
