/** How pages are written down: given by the host, as compressors are platform modules. */

export interface PageCodec {
  /** UTF-16 code units of a page; its last text may reach beyond. Larger ones compress better, and cost more to read one value of. */
  readonly pageLength: number;
  /** The bytes are the page's alone, no view of a larger buffer: all of it would be kept. */
  pack(text: string): Uint8Array;
  /** What was packed. */
  unpack(bytes: Uint8Array): string;
}
