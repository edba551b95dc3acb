/** The parts of a delta response that a simulated Envoy reads, without decoding the message. */
import type { Buffer } from 'node:buffer';

export interface ReadResponse {
  readonly typeUrl: string;
  readonly nonce: string;
  /** Number of each. */
  readonly resources: number;
  readonly removed: number;
}

/** Reads a response as Meshrelay's server writes it: only length-delimited fields. @throws Error for any other field */
export function readResponse(bytes: Buffer): ReadResponse {
  let [typeUrl, nonce, resources, removed] = ['', '', 0, 0];
  for (let at = 0; at < bytes.length; ) {
    const tag = bytes[at++] as number;
    if ((tag & 0x87) !== 2) throw new Error(`a response has a field with the tag ${tag}`);
    let length = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = bytes[at++] as number;
      length |= (byte & 0x7f) << shift;
      if (byte < 0x80) break;
    }
    const field = tag >>> 3;
    if (field === 2) resources++;
    else if (field === 4) typeUrl = bytes.toString('latin1', at, at + length);
    else if (field === 5) nonce = bytes.toString('latin1', at, at + length);
    else if (field === 6) removed++;
    at += length;
  }
  return { typeUrl, nonce, resources, removed };
}
