/** The plugin keeps what every mesh plugin promises, and its capability table tells the truth. */
import { GoldenFolder, pluginConformance, registerChecks } from '@meshrelay/plugin-kit';
import { test } from '@meshrelay/testing';
import * as fixture from '../src/fixture.ts';
import istio from '../src/mod.ts';

const golden = new GoldenFolder(new URL('./golden', import.meta.url));
const worlds = golden.cases().map((name) => golden.input(name));

registerChecks(
  pluginConformance(istio, { fixture, worlds }).filter(({ slow = false }) => !slow),
  test,
);

test.run();
