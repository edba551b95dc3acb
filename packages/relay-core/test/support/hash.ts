/** The hasher that tests pass to core. */
import { createHash } from 'node:crypto';
import type { Hasher } from '../../src/mod.ts';

/** SHA-256 cut to 128 bits. */
export const sha256: Hasher = (text) => createHash('sha256').update(text).digest('hex').slice(0, 32);
