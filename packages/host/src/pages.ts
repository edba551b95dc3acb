/** Compresses pages of the graph's packed data, since objects of a fleet are similar. */
import { Buffer } from 'node:buffer';
import * as zlib from 'node:zlib';
import type { PageCodec } from '@meshrelay/relay-core';

// Deno has no Zstandard yet.
const [compress, expand] =
  typeof zlib.zstdCompressSync === 'function'
    ? [zlib.zstdCompressSync, zlib.zstdDecompressSync]
    : [(bytes: Uint8Array) => zlib.deflateRawSync(bytes, { level: 1 }), zlib.inflateRawSync];

/** Zstandard, or DEFLATE if the platform lacks it: pages never leave the process. */
export const compressedPages: PageCodec = {
  pageLength: 65_536,
  // zlib returns a view of a larger buffer; the copy has the exact size.
  pack: (text) => Uint8Array.from(compress(Buffer.from(text))),
  unpack: (bytes) => expand(bytes).toString(),
};
