/** The README's example gives the output it shows. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { assert, temporaryFolder, test } from '@meshrelay/testing';

const graph = join(import.meta.dirname, '../../src/graph');

test('the example prints its last lines', async () => {
  const readme = readFileSync(join(graph, 'README.md'), 'utf8');
  const code = readme.match(/```ts\n([\s\S]*?)```/)?.[1] ?? '';
  const promised = code.split('\n').filter((line) => line.startsWith('// ['));
  assert.ok(promised.length > 0);
  const files = [join(graph, 'graph.ts'), join(import.meta.dirname, '../../../plugin/src/graph/key.ts')];
  const imports = files.map((file) => `export * from '${pathToFileURL(file)}';`);
  using folder = temporaryFolder();
  writeFileSync(join(folder.path, 'core.ts'), imports.join('\n'));
  writeFileSync(join(folder.path, 'example.ts'), code.replace("'@meshrelay/relay-core'", "'./core.ts'"));
  const printed: string[] = [];
  const { log } = console;
  console.log = (...words: unknown[]) => printed.push(`// ${words.join(' ')}`);
  try {
    await import(pathToFileURL(join(folder.path, 'example.ts')).href);
  } finally {
    console.log = log;
  }
  assert.equal(printed, promised);
});

test.run();
