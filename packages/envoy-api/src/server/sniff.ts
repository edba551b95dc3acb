/** Detects the protocol of a connection from its first bytes. */
import { Buffer } from 'node:buffer';
import type { Socket } from 'node:net';
import { clearTimeout, setTimeout } from 'node:timers';

/** `late`: not enough bytes arrived in time. `gone`: the connection ended before. */
export type DetectedProtocol = 'tls' | 'http2' | 'http1' | 'late' | 'gone';

const PREFACE = 'PRI * HTTP/2.0';
/** The first byte of a TLS handshake record. */
const TLS_HANDSHAKE = 0x16;

/**
 * Waits for the first bytes and unshifts them. The socket is left paused.
 * @param within milliseconds
 */
export function sniff(socket: Socket, within: number): Promise<DetectedProtocol> {
  return new Promise((resolve) => {
    const settle = (spoken: DetectedProtocol): void => {
      clearTimeout(timer);
      socket.off('readable', check);
      socket.off('close', closed);
      resolve(spoken);
    };
    const timer = setTimeout(() => settle('late'), within);
    const closed = (): void => settle('gone');
    // Unshifted only after the decision: bytes unshifted earlier would be read again at once, endlessly.
    let seen: Buffer = Buffer.alloc(0);
    const check = (): void => {
      const bytes = socket.read() as Buffer | null;
      if (bytes === null) return;
      seen = Buffer.concat([seen, bytes]);
      const spoken = detect(seen);
      if (spoken === undefined) return;
      socket.off('readable', check);
      socket.unshift(seen);
      settle(spoken);
    };
    socket.on('readable', check);
    socket.once('close', closed);
  });
}

/** Undefined while the bytes match several protocols. */
function detect(bytes: Uint8Array): DetectedProtocol | undefined {
  if (bytes[0] === TLS_HANDSHAKE) return 'tls';
  const text = String.fromCharCode(...bytes.subarray(0, PREFACE.length));
  if (!PREFACE.startsWith(text)) return 'http1';
  return text.length === PREFACE.length ? 'http2' : undefined;
}
