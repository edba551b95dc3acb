/** The hasher that core is given, by every program the same: what one wrote the other finds unchanged. */
import { hash } from 'node:crypto';
import type { Hasher } from '@meshrelay/relay-core';

/** SHA-256 cut to 128 bits. */
export const sha256: Hasher = (text) => hash('sha256', text, 'hex').slice(0, 32);
