/** The conformance kit catches every mistake in this plugin. */
import { pluginConformance } from '@meshrelay/plugin-kit';
import { test } from '@meshrelay/testing';
import { testWrongPlugins } from '@meshrelay/testing/wrong-plugins';
import * as fixture from '../src/fixture.ts';
import envoy from '../src/mod.ts';
import { CONFORMANCE } from './conformance-options.ts';
import { WRONG_TRANSLATIONS } from './wrong-translations.ts';

testWrongPlugins(WRONG_TRANSLATIONS, {
  entry: 'packages/plugin-envoy/src/mod.ts',
  correct: envoy,
  first: ['property: different meanings', 'property: values that belong', 'property: every value is'],
  checksOf: (plugin) => pluginConformance(plugin, { fixture, ...CONFORMANCE }).filter(({ slow = false }) => !slow),
});

test.run();
