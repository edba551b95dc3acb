/**
 * A build is always one of the present sources, and made only if no such build exists. It leaves no process: the
 * runner checks that.
 */
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { assert, eventually, temporaryFolder, test } from '@meshrelay/testing';
// Another test of the same worker may have loaded it too: it then builds in a thread with a process.
import 'esbuild';
import { type Build, buildPrograms } from '../src/mod.ts';

const manifest = (exports: string): string =>
  JSON.stringify({ name: 'lib', version: '1.2.3', license: 'Apache-2.0', type: 'module', exports });

const SOURCES: Readonly<Record<string, string>> = {
  'package.json': '{}',
  'pnpm-lock.yaml': 'lockfileVersion: 9',
  'packages/host/package.json': manifest('./src/mod.ts'),
  'packages/host/src/mod.ts': "export const word: string = 'first';\n",
  'packages/host/src/other.ts': "export const word: string = 'other';\n",
  'packages/one/src/main.ts': "import { word } from '../../host/src/mod.ts';\nconsole.log('one', word);\n",
  'packages/two/src/main.ts': [
    "import { word } from 'lib';",
    'interface Facts {',
    '  readonly length: number;',
    '}',
    'export function fail(facts: Facts): never {',
    "  throw new Error('failed ' + facts.length);",
    '}',
    "console.log('two', word);",
    "if (process.argv[2] === 'fail') fail({ length: word.length });",
    "if (process.argv[2] === 'late') console.log((await import('./late.ts')).late);",
  ].join('\n'),
  'packages/two/src/late.ts': "export const late: string = 'late';\n",
};

/** A checkout of two programs that share a package. */
class Checkout {
  readonly root: string;
  built = 0;

  constructor(root: string) {
    this.root = root;
    for (const [path, text] of Object.entries(SOURCES)) this.write(path, text);
    this.install('packages/host');
  }

  /** As pnpm would link it, but copied: `lib` is a package by name. */
  install(folder: string): void {
    for (const file of ['package.json', 'src/mod.ts', 'src/other.ts'])
      this.write(join('node_modules/lib', file), readFileSync(join(this.root, folder, file), 'utf8'));
  }

  write(path: string, text: string): void {
    mkdirSync(dirname(join(this.root, path)), { recursive: true });
    writeFileSync(join(this.root, path), text);
  }

  get plan() {
    return {
      root: this.root,
      entries: { one: 'packages/one/src/main.ts', two: 'packages/two/src/main.ts' },
      assets: { two: ['charts/two'] },
      folder: join(this.root, 'builds/all'),
    };
  }

  build(): Build {
    return buildPrograms({
      ...this.plan,
      building: () => {
        this.built += 1;
      },
    });
  }

  run(name: string, ...args: readonly string[]): string {
    return runFrom(this.build(), name, ...args);
  }
}

function runFrom({ folder }: Build, name: string, ...args: readonly string[]): string {
  return execFileSync(process.execPath, [join(folder, `${name}.js`), ...args], { encoding: 'utf8' }).trim();
}

function withCheckout(work: (checkout: Checkout) => void): void {
  using folder = temporaryFolder();
  work(new Checkout(folder.path));
}

test('the same sources are built once, whatever their times', () => {
  withCheckout((checkout) => {
    assert.is(checkout.run('one'), 'one first');
    assert.is(checkout.run('two'), 'two first');
    const now = new Date();
    utimesSync(join(checkout.root, 'packages/one/src/main.ts'), now, now);
    assert.is(checkout.run('one'), 'one first');
    assert.is(checkout.built, 1);
  });
});

test('a build has the files that its program reads, and another if one is added or changed', () => {
  withCheckout((checkout) => {
    assert.equal(checkout.build().files['two']?.includes('charts/two/a.yaml'), false);
    checkout.write('charts/two/a.yaml', 'a: 1');
    const { folder, files } = checkout.build();
    assert.ok(files['two']?.includes('charts/two/a.yaml'));
    assert.not(files['one']?.includes('charts/two/a.yaml'));
    assert.is(readFileSync(join(folder, 'charts/two/a.yaml'), 'utf8'), 'a: 1');
    checkout.write('charts/two/a.yaml', 'a: 2');
    assert.is(readFileSync(join(checkout.build().folder, 'charts/two/a.yaml'), 'utf8'), 'a: 2');
    assert.is(checkout.built, 3);
  });
});

test('a changed source, an imported one too, is in the next build', () => {
  withCheckout((checkout) => {
    checkout.run('one');
    checkout.write('packages/host/src/mod.ts', "export const word: string = 'second';\n");
    assert.is(checkout.run('one'), 'one second');
    // Of the same length and at the same time, as two edits within a moment.
    checkout.write(
      'packages/one/src/main.ts',
      "import { word } from '../../host/src/mod.ts';\nconsole.log('ONE', word);\n",
    );
    assert.is(checkout.run('one'), 'ONE second');
    checkout.write('packages/two/src/late.ts', "export const late: string = 'later';\n");
    assert.is(checkout.run('two', 'late'), 'two first\nlater');
    assert.is(checkout.built, 4);
  });
});

test('what a package exports and which versions are installed count as sources', () => {
  withCheckout((checkout) => {
    assert.is(checkout.run('two'), 'two first');
    checkout.write('packages/host/package.json', manifest('./src/other.ts'));
    checkout.install('packages/host');
    assert.is(checkout.run('two'), 'two other');
    checkout.write('pnpm-lock.yaml', 'lockfileVersion: 10');
    checkout.run('two');
    assert.is(checkout.built, 3);
  });
});

test('a build that was removed is made again, and half a build is never taken for one', () => {
  withCheckout((checkout) => {
    const { folder } = checkout.build();
    mkdirSync(join(dirname(folder), '.unfinished-killed'));
    rmSync(folder, { recursive: true });
    assert.is(checkout.run('one'), 'one first');
    assert.is(checkout.built, 2);
    writeFileSync(join(dirname(folder), 'last.json'), '');
    assert.is(checkout.run('one'), 'one first');
  });
});

test('a program that runs from a build can load the rest of it when others have been made', () => {
  withCheckout((checkout) => {
    const before = checkout.build();
    checkout.write('packages/two/src/late.ts', "export const late: string = 'newer';\n");
    checkout.build();
    assert.is(runFrom(before, 'two', 'late'), 'two first\nlate');
  });
});

test('a process that needs the build of another waits for it, and one that was killed while it built delays none', async () => {
  using folder = temporaryFolder();
  const { plan } = new Checkout(folder.path);
  mkdirSync(plan.folder, { recursive: true });
  // No process has this ID.
  writeFileSync(join(plan.folder, 'building.pid'), String(2 ** 30));
  const released = join(folder.path, 'released');
  // It says when it begins to build, and builds when that file exists.
  const program = `
    import { existsSync, writeSync } from 'node:fs';
    import { buildPrograms } from ${JSON.stringify(import.meta.resolve('../src/mod.ts'))};
    const [plan, released] = process.argv.slice(1);
    const wake = new Int32Array(new SharedArrayBuffer(4));
    const building = () => {
      writeSync(1, 'builds ');
      while (!existsSync(released)) Atomics.wait(wake, 0, 0, 10);
    };
    writeSync(1, 'starts ');
    buildPrograms({ ...JSON.parse(plan), building });`;
  const start = () => {
    const args = ['--input-type=module', '--eval', program, JSON.stringify(plan), released];
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
    const said = { text: '' };
    child.stdout.on('data', (chunk) => {
      said.text += chunk;
    });
    return { said, ended: once(child, 'close') };
  };
  const first = start();
  await eventually('the first builds', () => first.said.text === 'starts builds ', { seen: () => first.said });
  const second = start();
  await eventually('the second starts', () => second.said.text !== '');
  writeFileSync(released, '');
  const codes = [await first.ended, await second.ended].map(([code]) => code);
  assert.equal([second.said.text, codes], ['starts ', [0, 0]]);
});

test('only few builds are retained', () => {
  withCheckout((checkout) => {
    for (let round = 0; round < 7; round += 1) {
      checkout.write('packages/host/src/mod.ts', `export const word: string = 'round ${round}';\n`);
      assert.is(checkout.run('one'), `one round ${round}`);
    }
    const folders = readdirSync(join(checkout.root, 'builds/all'), { withFileTypes: true });
    assert.is(folders.filter((entry) => entry.isDirectory()).length, 4);
  });
});

test('the files of a program run anywhere, and a stack trace names the lines of its sources', () => {
  withCheckout((checkout) => {
    const { folder, files } = checkout.build();
    using copy = temporaryFolder();
    for (const file of ['package.json', ...(files['two'] ?? [])])
      copyFileSync(join(folder, file), join(copy.path, file));
    assert.not.ok(files['two']?.includes('one.js'));
    const run = (...args: readonly string[]) =>
      spawnSync(process.execPath, [join(copy.path, 'two.js'), ...args], { encoding: 'utf8' });
    assert.is(run('late').stdout, 'two first\nlate\n');
    const { stderr, status } = run('fail');
    assert.is(status, 1);
    assert.match(stderr, 'Error: failed 5');
    assert.match(stderr, /at fail \(.*packages\/two\/src\/main\.ts:6:9\)/);
  });
});

test('a source that cannot be built is named with the line and the fault', () => {
  withCheckout((checkout) => {
    checkout.build();
    checkout.write('packages/host/src/mod.ts', "export const word: string = 'no end;\n");
    assert.throws(() => checkout.build(), /packages\/host\/src\/mod\.ts:1:\d+: ERROR: Unterminated string/);
    checkout.write('packages/host/src/mod.ts', "export const word: string = 'first';\n");
    assert.is(checkout.run('one'), 'one first');
    checkout.write('packages/one/src/main.ts', "import 'a-package-that-is-not-there';\n");
    assert.throws(() => checkout.build(), /Could not resolve "a-package-that-is-not-there"/);
  });
});

test.run();
