/** VitePress runs this when it builds the site, and gives the page the examples as data. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { readPages } from '../pages/pages.ts';
import { type Change, changesOn } from './changes.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));

export declare const data: readonly Change[];

// biome-ignore lint/style/noDefaultExport: VitePress reads it.
export default {
  load(): readonly Change[] {
    return [...readPages(root).values()]
      .filter(({ file }) => file.startsWith('docs/tasks/'))
      .flatMap(({ file, title }) => changesOn(title, readFileSync(`${root}${file}`, 'utf8')));
  },
};
