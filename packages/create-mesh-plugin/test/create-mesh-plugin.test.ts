/** Bad names and folders, and the names in a created package. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { assert, temporaryFolder, test } from '@meshrelay/testing';
import { CreationError, createMeshPlugin } from '../src/mod.ts';

const template = join(import.meta.dirname, '../template');

test('names of the template become those of the mesh', () => {
  using folder = temporaryFolder();
  const target = join(folder.path, 'red-lamp');
  const files = createMeshPlugin({ name: 'red-lamp', folder: target, template, version: '1.2.3' });
  assert.ok(
    ['package.json', '.gitignore', 'deno.json', 'src/red-lamp.ts'].every((file) => files.includes(file)),
    files.join(),
  );
  for (const file of files) assert.not.match(readFileSync(join(target, file), 'utf8'), /my-?mesh|0\.0\.0-kit/i, file);
  assert.match(readFileSync(join(target, 'src/red-lamp.ts'), 'utf8'), 'export const redLamp: MeshPlugin');
  const { name, devDependencies } = JSON.parse(readFileSync(join(target, 'package.json'), 'utf8'));
  assert.equal([name, devDependencies['@meshrelay/plugin-kit']], ['meshrelay-plugin-red-lamp', '^1.2.3']);
});

test('a bad name or a folder with files is an error, and nothing is written', () => {
  using folder = temporaryFolder();
  const create = (name: string, target: string): string => {
    try {
      createMeshPlugin({ name, folder: join(folder.path, target), template, version: '0.1.0' });
    } catch (error) {
      if (error instanceof CreationError) return error.message;
      throw error;
    }
    return 'it was created';
  };
  for (const name of ['', 'Red', '1a', 'a_b', '-a', 'a-', '../x', 'a'.repeat(41)])
    assert.match(create(name, 'new'), `the mesh is named "${name}"; expected`);
  mkdirSync(join(folder.path, 'used'));
  writeFileSync(join(folder.path, 'used/file'), '');
  assert.match(create('lamp', 'used'), 'used has files already');
  assert.match(create('lamp', 'used/file'), 'give another folder');
  assert.is(create('lamp', 'new'), 'it was created');
});

test.run();
