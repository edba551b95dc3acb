/** The calls of Helm that the documentation shows. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '@meshrelay/programs';

/** Blocks of commands. */
const SHELL = /^ *```sh\n([\s\S]*?)^ *```$/gm;

/** Each call in a page as its arguments, in order. @param page path from the root of the checkout */
export function documentedHelmCalls(page: string): readonly (readonly string[])[] {
  return [...readFileSync(join(ROOT, page), 'utf8').matchAll(SHELL)]
    .flatMap(([, text = '']) => text.replaceAll('\\\n', ' ').split('\n'))
    .flatMap((line) => {
      const words = line
        .replace(/ # .*$/, '')
        .trim()
        .split(/ +/);
      return words[0] === 'helm' ? [words.slice(1)] : [];
    });
}
