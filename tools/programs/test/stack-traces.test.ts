/** Stack traces of a bundle name the places in its sources that Node's own reader of source maps names. */
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { assert, test } from '@meshrelay/testing';
import { build, stop } from 'esbuild';

const folder = mkdtempSync(join(tmpdir(), 'meshrelay-stacks-'));
const STACK_TRACES = fileURLToPath(new URL('../src/stack-traces.mjs', import.meta.url));
/** A source of a hundred functions, of which some throw; lines and columns differ. */
const SOURCE = Array.from(
  { length: 100 },
  (_, index) =>
    `${' '.repeat(index)}export function fail${index}(): string {${'\n'.repeat(index % 7)} return new Error('é, ${index}').stack ?? '' }`,
).join('\n');

/** One has one line, the other a line for each statement. */
const BUNDLES = [
  ['short.mjs', true],
  ['long.mjs', false],
] as const;

function inNode(script: string): string {
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', script], {
    cwd: folder,
    encoding: 'utf8',
  });
  assert.is(stderr, '');
  return stdout;
}

test.before(async () => {
  writeFileSync(join(folder, 'source.ts'), SOURCE);
  copyFileSync(STACK_TRACES, join(folder, 'stack-traces.mjs'));
  for (const [name, minify] of BUNDLES)
    await build({
      entryPoints: [join(folder, 'source.ts')],
      outfile: join(folder, name),
      sourcemap: true,
      format: 'esm',
      minify,
      logLevel: 'silent',
    });
});

test.after(async () => {
  rmSync(folder, { recursive: true });
  await stop();
});

for (const [name] of BUNDLES)
  test(`each place in ${name} is the one that Node would name, in any order`, () => {
    const script = (first: string) => `${first}
    const bundle = await import('./${name}');
    const order = Array.from({ length: 100 }, (_, index) => (index * 37) % 100);
    console.log(JSON.stringify(order.map((index) => bundle['fail' + index]().split('\\n')[1])));`;
    const raw: string[] = JSON.parse(inNode(script('')));
    const map = new SourceMap(JSON.parse(readFileSync(join(folder, `${name}.map`), 'utf8')));
    const expected = raw.map((line) => {
      const [place = '', row = '', column = ''] = /file:\S*?:(\d+):(\d+)/.exec(line) ?? [];
      const entry = map.findEntry(Number(row) - 1, Number(column) - 1);
      if (!('originalLine' in entry)) throw new Error(`the map has no entry for ${line}`);
      return line.replace(place, `${join(folder, 'source.ts')}:${entry.originalLine + 1}:${entry.originalColumn + 1}`);
    });
    assert.equal(JSON.parse(inNode(script("await import('./stack-traces.mjs');"))), expected);
    assert.is(new Set(expected).size, 100);
  });

test('without a source map, stacks name the bundle', () => {
  rmSync(join(folder, 'short.mjs.map'));
  const stack = inNode("await import('./stack-traces.mjs'); console.log((await import('./short.mjs')).fail3());");
  assert.match(stack, /short\.mjs:\d+:\d+/);
});

test.run();
