/** Manifests from files, and their faults, reported by file and position. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { assert, temporaryFolder, test } from '@meshrelay/testing';
import { loadManifests, parseManifests } from '../../src/manifests/load-manifests.ts';

const CONFIG_MAP = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n';

test('documents, Lists and JSON are all split into objects', () => {
  const list = 'apiVersion: v1\nkind: List\nitems:\n- {apiVersion: v1, kind: Pod, metadata: {name: p}}\n';
  const found = parseManifests(`---\n${CONFIG_MAP}---\n# nothing\n---\n${list}`, 'x.yaml');
  assert.equal(
    found.map(({ object, origin }) => [object.kind, origin]),
    [
      ['ConfigMap', 'x.yaml:2'],
      ['Pod', 'x.yaml:8 items[0]'],
    ],
  );
  assert.is(parseManifests('{"apiVersion":"v1","kind":"Pod","metadata":{"name":"p"}}', 'x.json').length, 1);
});

test('folders are searched recursively, in path order', async () => {
  using folder = temporaryFolder();
  mkdirSync(join(folder.path, 'b'));
  writeFileSync(join(folder.path, 'b', 'z.yml'), CONFIG_MAP.replace('name: a', 'name: last'));
  writeFileSync(join(folder.path, 'a.yaml'), CONFIG_MAP);
  writeFileSync(join(folder.path, 'notes.txt'), 'not a manifest');
  const found = await loadManifests([folder.path]);
  assert.equal(
    found.map(({ object }) => object.metadata.name),
    ['a', 'last'],
  );
});

for (const [what, text, words] of [
  ['YAML that does not parse', 'a: [', /x\.yaml: .*line 1/],
  ['a key given twice', 'kind: A\nkind: B\n', /x\.yaml: Map keys must be unique/],
  ['no object', '- 1\n', /x\.yaml:1: expected an object/],
  ['no kind', 'metadata: {name: a}\n', /x\.yaml:1: expected an object with apiVersion and kind, found metadata/],
  [
    'a bomb of aliases',
    `a: &a [1,1,1,1,1,1,1,1,1,1]\nb: &b [${'*a,'.repeat(20)}]\nc: [${'*b,'.repeat(20)}]\nkind: X\napiVersion: v1\n`,
    /alias/i,
  ],
] as const)
  test(`${what} is rejected with its position`, () => assert.throws(() => parseManifests(text, 'x.yaml'), words));

test('a missing path is named', async () => {
  try {
    await loadManifests(['/no/such/file.yaml']);
    assert.unreachable();
  } catch (error) {
    assert.match((error as Error).message, '/no/such/file.yaml: no such file or folder');
  }
});

test.run();
