/** How much came on an HTTP/2 session, encrypted or not: enough to tell whether anything did. */
import type { ServerHttp2Session } from 'node:http2';

/** Reads the bytes that came so far; NaN when the session is over, whose socket cannot be asked any more. */
export function bytesOf(session: ServerHttp2Session): () => number {
  const { socket } = session;
  return () => (session.destroyed ? Number.NaN : socket.bytesRead);
}
