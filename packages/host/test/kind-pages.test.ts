// The pages of kinds match the schemas, the capability tables and the examples.
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { assert, test } from '@meshrelay/testing';
import { kindPages } from '../scripts/kinds/pages.ts';

const docs = resolve(import.meta.dirname, '../../../docs');
const stale = 'run: node packages/host/scripts/generate.ts';
const pages = kindPages(docs);

for (const [path, text] of pages)
  test(`docs/${path} is up to date`, () => {
    assert.is(readFileSync(join(docs, path), 'utf8'), text, stale);
  });

test('every kind has a page, and no other page exists', () => {
  const names = readdirSync(join(docs, 'reference/kinds')).map((name) => `reference/kinds/${name}`);
  assert.equal(names.sort(), [...pages.keys()].sort(), stale);
});

test('a field has its type, default, example and support by mesh', () => {
  const page = pages.get('reference/kinds/trafficpolicy.md') ?? '';
  const row = (path: string) => page.split('\n').find((line) => line.startsWith(`| \`${path}\``)) ?? '';
  assert.match(row('spec.policy.csrf'), /\| no \| no \| yes \|/);
  assert.match(row('spec.httpRequestMatchers[].method'), /\| string \| {2}\| `GET` \| yes \| no \| yes \|/);
  assert.match(row('spec.policy.faultInjection.percentage'), /\| 100 \| `50` \|/);
});

test.run();
