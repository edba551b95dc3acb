// The hash of a module.
import type * as z from 'zod/mini';
import { textLike } from '../../schema/scalar.ts';

/** A SHA-256 in hexadecimal. */
export const sha256: z.ZodMiniType<string> = textLike({
  expected: 'a SHA-256 in hexadecimal: 64 digits and letters a to f in lower case',
  pattern: /^[0-9a-f]{64}$/,
  maxLength: 64,
});

/** For examples: the hash of no bytes. */
export const EXAMPLE_SHA256 = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';
