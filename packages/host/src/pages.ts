/** Pages of what the graph puts away: compressed, since objects of a fleet are much alike. */
import { Buffer } from 'node:buffer';
import * as zlib from 'node:zlib';
import type { PageCodec } from '@meshrelay/relay-core';

// Deno has no Zstandard yet.
const [compress, expand] =
  typeof zlib.zstdCompressSync === 'function'
    ? [zlib.zstdCompressSync, zlib.zstdDecompressSync]
    : [(bytes: Uint8Array) => zlib.deflateRawSync(bytes, { level: 1 }), zlib.inflateRawSync];

/** Zstandard, or DEFLATE where the platform lacks it: pages never leave the process. */
export const compressedPages: PageCodec = {
  pageLength: 65_536,
  // What zlib gives is a view of a buffer with room to spare.
  pack: (text) => Uint8Array.from(compress(Buffer.from(text))),
  unpack: (bytes) => expand(bytes).toString(),
};
