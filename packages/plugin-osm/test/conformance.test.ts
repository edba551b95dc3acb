/** The plugin passes the conformance checks for mesh plugins, and its capability table matches its behaviour. */
import { GoldenFolder, pluginConformance, registerChecks } from '@meshrelay/plugin-kit';
import { scaledSample, test } from '@meshrelay/testing';
import * as fixture from '../src/fixture.ts';
import osm from '../src/mod.ts';
import { CONFORMANCE } from './conformance-options.ts';

const golden = new GoldenFolder(new URL('./golden', import.meta.url));
/** Most checks build each fleet, some of them several times. */
const fleets = scaledSample(golden.cases(), { uses: 6 }).map((name) => golden.input(name));

registerChecks(
  pluginConformance(osm, { fixture, fleets, ...CONFORMANCE }).filter(({ slow = false }) => !slow),
  test,
);

test.run();
