/** The programs of a checkout have the same names when npm installs them. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ProgramName, programs } from '@meshrelay/programs';
import { assert, test } from '@meshrelay/testing';

const root = join(import.meta.dirname, '../../..');
const read = (...path: readonly string[]) => readFileSync(join(root, ...path), 'utf8');

/** Programs that are published as bundles. */
const BUNDLES = new Set(['meshctl', 'access-log-sink']);

for (const name of readdirSync(join(root, 'bin')).filter((one) => one !== 'package.json')) {
  test(`${name} is installed as ${name}`, () => {
    assert.match(read('bin', name), `runBin('${name}')`);
    const [, folder = ''] = /\/packages\/([^/]+)\/src\/main\.ts$/.exec(programs[name as ProgramName]) ?? [];
    const { publishConfig } = JSON.parse(read('packages', folder, 'package.json'));
    assert.equal(publishConfig.bin, { [name]: BUNDLES.has(name) ? `./dist/${name}/${name}.js` : './dist/main.js' });
    assert.match(read('packages', folder, 'src/main.ts'), /^#!\/usr\/bin\/env node\n/);
  });
}

test.run();
