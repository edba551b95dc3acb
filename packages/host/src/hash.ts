/** The hash function for core. All programs use the same, so they agree on which objects are unchanged. */
import { hash } from 'node:crypto';
import type { Hasher } from '@meshrelay/relay-core';

/** SHA-256, truncated to 128 bits. */
export const sha256: Hasher = (text) => hash('sha256', text, 'hex').slice(0, 32);
