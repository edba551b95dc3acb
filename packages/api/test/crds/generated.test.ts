// The checked-in generated files match the schemas.
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { assert, test } from '@meshrelay/testing';
import { parse } from 'yaml';
import { crdYaml } from '../../scripts/crd-yaml.ts';
import { descriptionsModule } from '../../scripts/descriptions-module.ts';
import { crds } from '../../src/crds/mod.ts';

const folder = resolve(import.meta.dirname, '../..');
const stale = 'run: node packages/api/scripts/generate.ts';

test('descriptions match the doc comments', () => {
  assert.is(
    readFileSync(join(folder, 'src/gen/descriptions.ts'), 'utf8'),
    descriptionsModule(join(folder, 'src')),
    stale,
  );
});

test('each CRD file matches its schema, and no other file exists', () => {
  assert.equal(
    readdirSync(join(folder, 'crds')).sort(),
    crds.map(({ metadata }) => `${metadata.name}.yaml`).sort(),
    stale,
  );
  for (const crd of crds) {
    const text = readFileSync(join(folder, 'crds', `${crd.metadata.name}.yaml`), 'utf8');
    assert.is(text, crdYaml(crd), stale);
    assert.equal(parse(text), JSON.parse(JSON.stringify(crd)));
  }
});

test.run();
