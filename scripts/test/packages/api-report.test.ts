/** The report of public types: what it shows of a package, and where it differs from the stored one. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { assert, temporaryFolder, test } from '@meshrelay/testing';
import { apiReport } from '../../packages/api-report.ts';
import { firstDifference } from '../../packages/first-difference.ts';
import type { Manifest } from '../../packages/manifest.ts';

const MANIFEST = {
  name: '@meshrelay/shop',
  version: '1.0.0',
  publishConfig: {
    exports: { '.': { types: './dist/mod.d.ts', default: './dist/mod.js' }, './data.yaml': './data.yaml' },
  },
} as Manifest;

/** The report of a package with these declarations. */
function reportOf(files: Readonly<Record<string, string>>): string {
  using root = temporaryFolder();
  const dist = join(root.path, 'packages/shop/dist');
  mkdirSync(dist, { recursive: true });
  for (const [name, text] of Object.entries(files)) writeFileSync(join(dist, name), text);
  return apiReport(root.path, { path: 'packages/shop', manifest: MANIFEST, readme: undefined });
}

test('exports come by name without comments, then the types that they refer to', () => {
  const report = reportOf({
    'mod.d.ts': "export { sell, type Book } from './books.ts';\nexport { key } from '@meshrelay/plugin';\n",
    'books.d.ts': `/** A comment. */
export interface Book { readonly title: string; readonly price: Price }
export interface Price { readonly cents: number }
interface Unused { }
export declare function sell(book: Book): void;
`,
  });
  const [, ...sections] = report.split('\n## ');
  assert.equal(sections, [
    `@meshrelay/shop

interface Book {
    readonly title: string;
    readonly price: Price;
}

key: from '@meshrelay/plugin'

function sell(book: Book): void;
`,
    `Types that these refer to

interface Price {
    readonly cents: number;
}
`,
  ]);
});

test('a package without a build is named with what to do', () => {
  assert.throws(() => reportOf({}), /mod\.d\.ts is missing; run `npm run exec -- tsc -b` first/);
});

test('the first difference is named by its line', () => {
  assert.is(firstDifference('a\nb\n', 'a\nb\n'), undefined);
  assert.is(firstDifference('a\nb\n', 'a\nc\n'), '2: expected "b", found "c"');
  assert.is(firstDifference('a', 'a\nb'), '2: expected the end of the file, found "b"');
  assert.is(firstDifference('a\nb', 'a'), '2: expected "b", found the end of the file');
});

test.run();
