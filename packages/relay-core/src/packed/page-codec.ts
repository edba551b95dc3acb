/** How pages are encoded: the host provides it, since compressors are platform modules. */

export interface PageCodec {
  /**
   * UTF-16 code units of a page; its last text may exceed it. Larger pages compress better, but reading a single value
   * costs more.
   */
  readonly pageLength: number;
  /** The bytes belong to the page only. A view of a larger buffer would keep the whole buffer alive. */
  pack(text: string): Uint8Array;
  /** Returns the packed text. */
  unpack(bytes: Uint8Array): string;
}
