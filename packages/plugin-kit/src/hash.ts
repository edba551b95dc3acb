/** The hash that tests pass to core, as hosts do. */
import { createHash } from 'node:crypto';
import type { Hasher } from '@meshrelay/relay-core';

/** SHA-256 truncated to 128 bits, as hexadecimal digits. */
export const sha256: Hasher = (text) => createHash('sha256').update(text).digest('hex').slice(0, 32);
