/** Two names whose keys have the same hash, found by trying. */
import { key } from '@meshrelay/plugin';
import { textHash } from '../../../src/text/text-hash.ts';

export const sameHash: readonly [string, string] = found();

function found(): readonly [string, string] {
  const seen = new Map<number, string>();
  for (let nth = 0; ; nth++) {
    const name = `name-${nth}`;
    const hash = textHash(key(name));
    const other = seen.get(hash);
    if (other !== undefined) return [other, name];
    seen.set(hash, name);
  }
}
