/** The plugin keeps what every mesh plugin promises, and its capability table tells the truth. */
import { GoldenFolder, pluginConformance, registerChecks } from '@meshrelay/plugin-kit';
import { scaledSample, test } from '@meshrelay/testing';
import * as fixture from '../src/fixture.ts';
import osm from '../src/mod.ts';

const golden = new GoldenFolder(new URL('./golden', import.meta.url));
const fleets = scaledSample(golden.cases()).map((name) => golden.input(name));

registerChecks(
  pluginConformance(osm, { fixture, fleets }).filter(({ slow = false }) => !slow),
  test,
);

test.run();
