/** The plugin of docs/plugin-guide.md is what stands there, and keeps all that a plugin promises. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { assert, test } from '@meshrelay/testing';
import { pluginConformance, registerChecks } from '../src/mod.ts';
import * as fixture from './guide/fixture.ts';
import { lantern } from './guide/lantern.ts';

const page = readFileSync(join(import.meta.dirname, '../../../docs/plugin-guide.md'), 'utf8');

for (const name of ['lantern.ts', 'fixture.ts']) {
  test(`the guide shows ${name} as it is`, () => {
    const text = readFileSync(join(import.meta.dirname, 'guide', name), 'utf8');
    assert.ok(page.includes(`\`\`\`ts\n${text}\`\`\``), `copy test/guide/${name} into the guide`);
  });
}

registerChecks(
  pluginConformance(lantern, { fixture }).filter(({ slow = false }) => !slow),
  test,
);

test.run();
