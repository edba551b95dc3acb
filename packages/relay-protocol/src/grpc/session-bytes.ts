/** Number of bytes received on an HTTP/2 session, encrypted or not: enough to detect whether anything arrived. */
import type { ServerHttp2Session } from 'node:http2';

/** Reads the bytes received so far; NaN for a closed session, whose socket cannot be accessed. */
export function bytesOf(session: ServerHttp2Session): () => number {
  const { socket } = session;
  return () => (session.destroyed ? Number.NaN : socket.bytesRead);
}
