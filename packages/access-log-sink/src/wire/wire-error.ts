/** What is wrong with bytes that are no message. */

/** Bytes that cannot be read as protobuf. It holds no content, so it may be logged and shown to the peer. */
export class WireError extends Error {
  /** Where the offence begins, in bytes from the start of the message. */
  readonly offset: number;

  constructor(what: string, offset: number) {
    super(`malformed protobuf at byte ${offset}: ${what}`);
    this.name = 'WireError';
    this.offset = offset;
  }
}
