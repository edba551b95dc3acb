/** The plugin passes the conformance checks for mesh plugins. */

import { VIEW_FIELDS } from '@meshrelay/plugin';
import { GoldenFolder, pluginConformance, registerChecks } from '@meshrelay/plugin-kit';
import { scaledSample, test } from '@meshrelay/testing';
import * as fixture from '../src/fixture.ts';
import envoy from '../src/mod.ts';
import { CONFORMANCE } from './conformance-options.ts';

const golden = new GoldenFolder(new URL('./golden', import.meta.url));
/** These cover every kind of object; the others differ in one field of one policy. */
const fleets = ['federation', 'vd-same-hostname', 'access-together'].map((name) => golden.input(name));
/**
 * Each Envoy has every destination, so the work grows with the square of the fields: a manual run takes a fifth of
 * them.
 */
const fields = scaledSample(VIEW_FIELDS, { least: Math.ceil(VIEW_FIELDS.length / 5) });
const properties = pluginConformance(envoy, { fixture, fleets: scaledSample(fleets), fields, ...CONFORMANCE }).filter(
  ({ name, slow = false }) => !slow && name.startsWith('property:'),
);
const isOfPair = ({ name }: { readonly name: string }): boolean => name.startsWith('property: pairs of rules:');
registerChecks(
  properties.filter((property) => !isOfPair(property)),
  test,
);
registerChecks(scaledSample(properties.filter(isOfPair)), test);

test.run();
