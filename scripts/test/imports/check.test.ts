/** Each rule, violated on purpose in a small workspace in memory: none may pass. */
import { fileURLToPath } from 'node:url';
import { assert, test } from '@meshrelay/testing';
import { stop } from 'esbuild';
import { checkImports } from '../../imports/check.ts';
import { findCycles } from '../../imports/cycles.ts';
import { rules as managedRules, type Rules } from '../../imports/rules.ts';
import { scanImports } from '../../imports/scan.ts';
import { type Manifest, readWorkspace, type Workspace } from '../../imports/source.ts';

const RULES: Rules = {
  packages: {
    core: { packages: [], pure: true },
    io: { packages: ['core'] },
    app: { packages: ['core', 'io'] },
    half: { packages: [], pure: true, onNode: ['server'] },
    whole: { packages: ['core'], bundled: true },
  },
  libraries: { zod: ['core'], redis: ['io'] },
  rings: { rings: 0, files: 0 },
  stages: {},
  faces: {},
};

const MANIFESTS: Record<string, Manifest> = {
  '': { name: 'root', devDependencies: { '@meshrelay/core': '*', 'fast-check': '1' } },
  'packages/core': { name: '@meshrelay/core', exports: { '.': '', './extra': '' }, dependencies: { zod: '1' } },
  'packages/io': {
    name: '@meshrelay/io',
    exports: { '.': '' },
    dependencies: { '@meshrelay/core': '*', redis: '1', zod: '1' },
    devDependencies: { '@meshrelay/app': '*', chance: '1' },
  },
  'packages/whole': { name: '@meshrelay/whole', exports: {}, devDependencies: { '@meshrelay/core': '*' } },
  'packages/half': { name: '@meshrelay/half', exports: { '.': '', './server': '' } },
  'packages/app': { name: '@meshrelay/app', exports: { '.': '' }, dependencies: { '@meshrelay/io': '*' } },
};

function check(files: Record<string, string>, manifests: Record<string, Manifest> = {}): Promise<string[]> {
  const workspace: Workspace = {
    manifests: new Map(Object.entries({ ...MANIFESTS, ...manifests })),
    files: new Map(Object.entries(files)),
  };
  return checkImports(workspace, RULES);
}

/** The one file violates exactly one rule, which the pattern describes. */
function refuses(title: string, file: string, text: string, problem: RegExp): void {
  test(`rejects ${title}`, async () => {
    const broken = await check({ [file]: text });
    assert.is(broken.length, 1, broken.join('\n'));
    assert.ok(broken[0]?.startsWith(file), broken[0]);
    assert.match(broken[0] ?? '', problem);
  });
}

function accepts(title: string, files: Record<string, string>): void {
  test(`accepts ${title}`, async () => {
    assert.equal(await check(files), []);
  });
}

accepts('what a bundle contains from its devDependencies', {
  'packages/whole/src/main.ts': "import '@meshrelay/core';",
});
refuses(
  'what a bundle contains without a declaration',
  'packages/whole/src/main.ts',
  "import 'chance';",
  /not in the dependencies or devDependencies of packages\/whole/,
);

accepts('what the rules allow', {
  'packages/core/src/a.ts': "import { z } from 'zod';\nimport { b } from './b.ts';\nexport const a = z(b);",
  'packages/core/src/b.ts': 'export const b = 1;',
  'packages/core/src/mod.ts': "/** Core. */\nexport { a } from './a.ts';\nexport type * from './b.ts';\n// done\n",
  'packages/io/src/c.ts':
    "import fs from 'node:fs';\nimport type { A } from '@meshrelay/core/extra';\nexport const c: A = fs;",
  'packages/io/test/c.test.ts':
    "import 'chance';\nimport 'fast-check';\nimport '@meshrelay/app';\nimport { c } from '../src/c.ts';\nc();",
  'scripts/x.ts': "import { a } from '@meshrelay/core';\na();",
});

accepts('its own package.json, which is always shipped', {
  'packages/io/src/version.ts': "import manifest from '../package.json' with { type: 'json' };\nmanifest();",
});

accepts('what only looks like an import', {
  'packages/core/src/a.ts': "// import 'node:fs';\nexport const a = `\nimport 'node:fs';\n`;",
});

test('rejects types that refer to each other in a ring', async () => {
  const broken = await check({
    'packages/core/src/a.ts': "import type { B } from './b.ts';\nexport type A = B;",
    'packages/core/src/b.ts': "import type { A } from './a.ts';\nexport type B = A[];",
  });
  assert.match(broken[0] ?? '', /1 rings with 2 files/);
  assert.is(broken[1], '  ring of 2: packages/core/src/a.ts, packages/core/src/b.ts');
});

accepts('Node in a folder of a pure package that says so', {
  'packages/half/src/server/a.ts': "import 'node:fs';",
});

const core = 'packages/core/src/a.ts';
const io = 'packages/io/src/a.ts';
refuses('a module of Node in a pure package', core, "import fs from 'node:fs';\nfs();", /runs without Node/);
refuses(
  'types of Node in a pure package',
  core,
  "import type { Stats } from 'node:fs';\nexport type S = Stats;",
  /node:fs/,
);
refuses(
  'Node next to the folder that may use it',
  'packages/half/src/pure.ts',
  "import 'node:fs';",
  /runs without Node/,
);
refuses('a module loaded on demand', core, "export const a = () => import('node:fs');", /runs without Node/);
refuses('a re-export of Node', core, "export * from 'node:fs';", /runs without Node/);
refuses('Node without its prefix', io, "import fs from 'fs';\nfs();", /write node:fs/);
refuses(
  'a package that is not allowed',
  'packages/core/src/a.ts',
  "import '@meshrelay/io';",
  /not in the dependencies/,
);
refuses('a library of another owner', io, "import { z } from 'zod';\nz();", /belongs to core/);
refuses(
  'types of a library of another owner',
  io,
  "import type { z } from 'zod';\nexport type Z = z;",
  /belongs to core/,
);
refuses('a deep import', io, "import '@meshrelay/core/src/a.ts';", /does not export/);
refuses('a development dependency in a source', io, "import 'chance';", /not in the dependencies/);
refuses('a development dependency of the root in a source', io, "import 'fast-check';", /not in the dependencies/);
refuses('an undeclared library in a test', 'packages/io/test/a.test.ts', "import 'left-pad';", /devDependencies/);
refuses('a path into another package', io, "import '../../core/src/mod.ts';", /import @meshrelay\/core by its name/);
refuses('a path from a script into a package', 'scripts/a.ts', "import '../packages/core/src/a.ts';", /by its name/);
refuses('a source that leans on a test', io, "import '../test/fake.ts';", /not shipped/);
refuses('a file that does not exist', io, "import './gone.ts';", /does not exist/);
refuses('its own package by name', io, "import '@meshrelay/io';", /use a relative path/);
refuses('code in mod.ts', 'packages/io/src/mod.ts', 'export const a = 1;', /may only re-export/);
refuses('imports for their effect in mod.ts', 'packages/core/src/mod.ts', "import 'zod';", /may only re-export/);

test('rejects a package that the rules do not allow, though declared', async () => {
  const manifest = { name: '@meshrelay/io', exports: { '.': '' }, dependencies: { '@meshrelay/app': '*' } };
  const app = { name: '@meshrelay/app', exports: { '.': '' } };
  const broken = await check({ [io]: "import '@meshrelay/app';" }, { 'packages/io': manifest, 'packages/app': app });
  assert.equal(broken, [`${io}: imports @meshrelay/app; io may import only core (scripts/imports/rules.ts)`]);
});

test('rejects a library without an owner, though declared', async () => {
  const manifest = { name: '@meshrelay/io', dependencies: { 'left-pad': '1' } };
  const broken = await check({ [io]: "import 'left-pad';" }, { 'packages/io': manifest });
  assert.match(broken.join('\n'), /left-pad, which no package owns/);
});

test('rejects a package without a rule', async () => {
  const broken = await check({}, { 'packages/new': { name: '@meshrelay/new' } });
  assert.match(broken.join('\n'), /^packages\/new: has no rule/);
});

test('rejects packages that depend on each other', async () => {
  const broken = await check(
    {},
    { 'packages/core': { name: '@meshrelay/core', dependencies: { '@meshrelay/app': '*' } } },
  );
  assert.is(broken.length, 1);
  assert.match(broken[0] ?? '', /circle: @meshrelay\/\w+ -> @meshrelay\/\w+ -> @meshrelay\/\w+ -> @meshrelay\/\w+$/);
});

test('rejects files that load each other', async () => {
  const broken = await check({
    'packages/core/src/a.ts': "import { b } from './b.ts';\nexport const a = b;",
    'packages/core/src/b.ts': "export * from './c.ts';\nexport const b = 1;",
    'packages/core/src/c.ts': "import { a } from './a.ts';\nexport const c = () => a;",
  });
  const [a, b, c] = ['a', 'b', 'c'].map((name) => `packages/core/src/${name}.ts`);
  assert.is(broken[0], `files import each other in a circle: ${a} -> ${b} -> ${c} -> ${a}`);
});

test('reads the imports of files on the disk', async () => {
  const root = fileURLToPath(new URL('../../..', import.meta.url));
  const { files } = readWorkspace(root);
  const own = 'scripts/test/imports/check.test.ts';
  const imports = await scanImports(new Map([[own, files.get(own) ?? '']]));
  const expected = { file: own, specifier: '../../imports/check.ts', typeOnly: false };
  assert.equal(
    imports.filter(({ specifier }) => specifier === expected.specifier),
    [expected],
  );
});

test("the repository's rules name only packages that have a rule, and allow no cycle", () => {
  const { packages, libraries } = managedRules;
  const named = [...Object.values(packages).flatMap((rule) => rule.packages), ...Object.values(libraries).flat()];
  assert.equal(
    named.filter((name) => !Object.hasOwn(packages, name)),
    [],
  );
  assert.equal(findCycles(new Map(Object.entries(packages).map(([name, rule]) => [name, rule.packages]))), []);
});

test.after(() => stop());

test.run();
