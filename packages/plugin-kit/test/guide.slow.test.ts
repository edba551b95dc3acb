/** The plugin in docs/tasks/write-a-mesh-plugin.md is the tested one, and passes the conformance checks. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildFleet, loadPlugins } from '@meshrelay/relay-core';
import { assert, test } from '@meshrelay/testing';
import { parse } from 'yaml';
import type { ConformanceOptions } from '../src/conformance.ts';
import { expandFleet, type FleetSpec, pluginConformance, registerChecks, sha256 } from '../src/mod.ts';
import * as fixture from './guide/fixture.ts';
import { lantern } from './guide/lantern.ts';

const page = readFileSync(join(import.meta.dirname, '../../../docs/tasks/write-a-mesh-plugin.md'), 'utf8');

for (const name of ['lantern.ts', 'fixture.ts']) {
  test(`the guide shows ${name} unchanged`, () => {
    const text = readFileSync(join(import.meta.dirname, 'guide', name), 'utf8');
    assert.ok(page.includes(`\`\`\`ts\n${text}\`\`\``), `copy test/guide/${name} into the guide`);
  });
}

/** The options that the guide passes; a renamed one does not compile. */
const GUIDE_OPTIONS = ['fixture', 'fleets'] as const satisfies readonly (keyof ConformanceOptions)[];

test('the guide passes its golden cases to the conformance checks', () => {
  assert.ok(page.includes(`pluginConformance(plugin, { ${GUIDE_OPTIONS.join(', ')} })`));
});

test("the guide's golden case shows its timeout", () => {
  const [, text = ''] = /```yaml fragment\n(about: .*?)```/s.exec(page) ?? [];
  const fleet = expandFleet(parse(text) as FleetSpec, { type: 'lantern', fixture });
  const { desired } = buildFleet({
    ...fleet,
    plugins: loadPlugins([{ module: 'lantern', plugin: lantern }]),
    hash: sha256,
  });
  assert.equal(
    [...desired.entries()].map(([, { object }]) => [object.kind, object['spec']]),
    [['Beam', { service: 'books', timeoutMs: 3000 }]],
  );
});

registerChecks(
  pluginConformance(lantern, { fixture }).filter(({ slow = false }) => !slow),
  test,
);

test.run();
