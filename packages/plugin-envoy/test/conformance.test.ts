/** The plugin keeps what every mesh plugin promises. */
import { GoldenFolder, pluginConformance, registerChecks } from '@meshrelay/plugin-kit';
import { scaledSample, test } from '@meshrelay/testing';
import * as fixture from '../src/fixture.ts';
import envoy from '../src/mod.ts';

const golden = new GoldenFolder(new URL('./golden', import.meta.url));
/** Of everything there is something in these; the others differ in one field of one policy. */
const worlds = ['federation', 'vd-same-hostname', 'access-together'].map((name) => golden.input(name));
const badSettings = [
  { settings: { namespace: 'Not A Name' }, path: 'namespace' },
  { settings: { agent: '' }, path: 'agent' },
  { settings: { trustDomain: 7 }, path: 'trustDomain' },
];

const laws = pluginConformance(envoy, { fixture, worlds: scaledSample(worlds), badSettings }).filter(
  ({ name, slow = false }) => !slow && name.startsWith('law:'),
);
const isOfPair = ({ name }: { readonly name: string }): boolean => name.startsWith('law: pairs of rules:');
registerChecks(
  laws.filter((law) => !isOfPair(law)),
  test,
);
registerChecks(scaledSample(laws.filter(isOfPair)), test);

test.run();
