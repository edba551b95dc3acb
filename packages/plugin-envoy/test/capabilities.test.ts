/** The capability table matches the plugin's behaviour. */
import { pluginConformance, registerChecks } from '@meshrelay/plugin-kit';
import { test } from '@meshrelay/testing';
import * as fixture from '../src/fixture.ts';
import envoy from '../src/mod.ts';
import { CONFORMANCE } from './conformance-options.ts';

registerChecks(
  pluginConformance(envoy, { fixture, ...CONFORMANCE }).filter(({ name }) => name.startsWith('capability ')),
  test,
);

test.run();
