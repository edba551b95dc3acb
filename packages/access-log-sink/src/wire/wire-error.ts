/** Error for bytes that are not a valid message. */

/** Bytes that cannot be read as protobuf. The error contains no content, so it may be logged and sent to the peer. */
export class WireError extends Error {
  /** Position of the error, in bytes from the start of the message. */
  readonly offset: number;

  constructor(what: string, offset: number) {
    super(`malformed protobuf at byte ${offset}: ${what}`);
    this.name = 'WireError';
    this.offset = offset;
  }
}
