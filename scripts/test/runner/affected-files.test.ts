/** Which test files a change can affect, in small checkouts created here. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { assert, temporaryFolder, test } from '@meshrelay/testing';
import { affectedFiles } from '../../runner/affected-files.ts';
import { findTestFiles } from '../../runner/discover.ts';

const FILES = {
  'packages/api/package.json': '{"name":"@meshrelay/api","exports":{".":"./src/mod.ts","./names":"./src/names.ts"}}',
  'packages/api/src/mod.ts':
    "/** What it is for. */\nexport * from './kinds.ts';\nexport { parse, type Tree } from './parse.ts';\nexport type { Kind } from './kinds.ts';\n",
  'packages/api/src/parse.ts': 'export function parse() {}\nexport type Tree = string;\n',
  'packages/api/src/kinds.ts': 'export const kinds = [];\nexport type Kind = string;\n',
  'packages/api/src/names.ts': 'export const names = [];\n',
  'packages/api/test/kinds.test.ts': "import { kinds } from '../src/kinds.ts';\n",
  'packages/app/package.json': '{"name":"@meshrelay/app","exports":{".":"./src/mod.ts"}}',
  'packages/app/src/mod.ts': "import { kinds } from '@meshrelay/api';\n",
  'packages/app/test/parse.test.ts': "import { parse as read } from '@meshrelay/api';\n",
  'packages/app/test/whole.test.ts': "import * as api from '@meshrelay/api';\n",
  'packages/app/test/late.test.ts': "const api = await import('@meshrelay/api');\n",
  'packages/app/src/typed.ts': "import type { Kind } from '@meshrelay/api';\n",
  'packages/app/test/all.test.ts': "import '../src/mod.ts';\n",
  'packages/app/test/names.test.ts': "import { names } from '@meshrelay/api/names';\n",
  'packages/app/test/typed.test.ts': "import '../src/typed.ts';\n",
  'packages/app/test/golden.test.ts': "const folder = new URL('./golden', import.meta.url);\n",
  'packages/app/test/golden/one/input.yaml': 'a: 1\n',
  'pnpm-lock.yaml': '\n',
};

/** The test files that a change of one file can affect, without folder and extension. */
function affectedBy(...changed: readonly string[]): string[] {
  using folder = temporaryFolder();
  const git = (...args: string[]): void => {
    const who = ['-c', 'user.name=a', '-c', 'user.email=a@b'];
    execFileSync('git', [...who, ...args], { cwd: folder.path, stdio: 'pipe' });
  };
  const write = (path: string, text: string): void => {
    mkdirSync(dirname(join(folder.path, path)), { recursive: true });
    writeFileSync(join(folder.path, path), text);
  };
  for (const [path, text] of Object.entries(FILES)) write(path, text);
  git('init', '--quiet');
  git('add', '.');
  git('commit', '--quiet', '-m', 'first');
  for (const path of changed) write(path, '// changed\n');
  const result = affectedFiles(folder.path, findTestFiles(folder.path), 'HEAD');
  assert.equal(result.changed, [...changed].sort());
  return result.affected.map((file) => file.replace(/^packages\/(\w+)\/test\/(\w+)\.test\.ts$/, '$1 $2'));
}

test('imports are followed through packages and what they re-export', () => {
  assert.equal(affectedBy('packages/api/src/kinds.ts'), ['api kinds', 'app all', 'app late', 'app whole']);
});

test("an import of one name does not lead to the package's other re-exports", () => {
  assert.equal(affectedBy('packages/api/src/parse.ts'), ['app late', 'app parse', 'app whole']);
  assert.equal(affectedBy('packages/api/src/mod.ts'), ['app all', 'app late', 'app parse', 'app whole']);
});

test('an entry of a package is not the whole package', () => {
  assert.equal(affectedBy('packages/api/src/names.ts'), ['app names']);
});

test('imports of types alone affect no test', () => {
  assert.equal(affectedBy('packages/app/src/typed.ts'), ['app typed']);
});

test('a file affects the tests that name its folder, even if it is new', () => {
  assert.equal(affectedBy('packages/app/test/golden/one/input.yaml'), ['app golden']);
  assert.equal(affectedBy('packages/app/test/golden/two/input.yaml'), ['app golden']);
});

test('a test file affects itself, and an unchanged tree affects nothing', () => {
  assert.equal(affectedBy('packages/app/test/typed.test.ts'), ['app typed']);
  assert.equal(affectedBy(), []);
  assert.equal(affectedBy('README.md'), []);
});

test('files that affect installing affect all tests', () => {
  assert.is(affectedBy('pnpm-lock.yaml').length, 8);
});

test('an error names a missing commit', () => {
  using folder = temporaryFolder();
  execFileSync('git', ['init', '--quiet'], { cwd: folder.path });
  assert.throws(() => affectedFiles(folder.path, [], 'nowhere'), /--changed=nowhere: .*nowhere.*; name a commit/s);
});

test.run();
