/** Dead links are found; valid links, and text that only looks like a link, are not reported. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { assert, temporaryFolder, test } from '@meshrelay/testing';
import { findDeadLinks, readDocuments } from '../../docs/links.ts';

function deadLinks(files: Record<string, string>): string[] {
  using folder = temporaryFolder();
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder.path, path)), { recursive: true });
    writeFileSync(join(folder.path, path), text);
  }
  return findDeadLinks(folder.path, readDocuments(folder.path));
}

test('accepts files, folders, headings and external addresses', () => {
  const other = '# Ports, and `kinds`\n\n[up](../README.md) [here](#ports-and-kinds)\n';
  const readme = '[a](docs/a.md#ports-and-kinds) [b](docs) [c](https://example.com/none)\n\n[d]: docs/a.md\n';
  assert.equal(deadLinks({ 'README.md': readme, 'docs/a.md': other }), []);
});

test('does not look for links in code', () => {
  const text = 'Write `[a](gone.md)`, or\n\n```md\n[b](gone.md)\n```\n';
  assert.equal(deadLinks({ 'README.md': text, 'node_modules/x/README.md': '[a](gone.md)' }), []);
});

test('recognizes footnotes', () => {
  assert.equal(deadLinks({ 'README.md': 'No[^why].\n\n[^why]: Because it is so.\n' }), []);
});

for (const link of ['gone.md', 'docs/gone/', '#gone', 'docs/a.md#gone', '../outside.md']) {
  test(`rejects ${link}`, () => {
    const dead = deadLinks({ 'README.md': `[a](${link})\n`, 'docs/a.md': '# A\n' });
    assert.is(dead.length, 1);
    assert.ok(dead[0]?.startsWith(`README.md: links to ${link}, `), dead[0]);
  });
}

test('rejects a dead reference', () => {
  assert.is(deadLinks({ 'README.md': 'See [it][1].\n\n[1]: gone.md\n' }).length, 1);
});

test.run();
