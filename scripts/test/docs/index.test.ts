/**
 * A reader finds every page of docs from docs/README.md, or from the list in the page's own folder; the README fits on
 * one screen.
 */
import { readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { assert, test } from '@meshrelay/testing';
import { readDocuments } from '../../docs/links.ts';

const root = join(import.meta.dirname, '../../..');
const LINK = /\]\(([^)\s#]+)(?:#[^)\s]*)?\)/g;
const pages = [...readDocuments(join(root, 'docs')).keys()].filter((path) => path !== 'README.md');

/** Pages to which a page of docs links, by path from docs. */
function linkedFrom(page: string): Set<string> {
  const text = readFileSync(join(root, 'docs', page), 'utf8');
  return new Set([...text.matchAll(LINK)].map(([, link = '']) => relative('.', join(dirname(page), link))));
}

test('the index of docs, or the list of a folder that it links to, has every page', () => {
  const index = linkedFrom('README.md');
  const lists = [...index].filter((path) => path.endsWith('/README.md') && !path.startsWith('..'));
  const listed = new Set([...index, ...lists.flatMap((list) => [...linkedFrom(list)])]);
  assert.equal(
    pages.filter((page) => !listed.has(page)),
    [],
  );
});

test('the README has at most 120 lines', () => {
  assert.ok(readFileSync(join(root, 'README.md'), 'utf8').split('\n').length <= 121);
});

test.run();
