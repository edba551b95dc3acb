/** Transport of a leader's streams to a server: over the relay, or within one process. */
import type { Handlers, RelayClientOptions, SignRequest, SignResponse } from '@meshrelay/relay-protocol';

/** The streams to keep open. */
export type TransportStreams = Pick<RelayClientOptions, 'push' | 'pull' | 'invoke' | 'signal' | 'onState' | 'logger'>;

export interface ServerTransport {
  /** Destination, for logs and readiness. */
  readonly to: string;
  /** Handlers of server calls about the transport itself. */
  readonly handlers?: Handlers;
  /** Requests the server's signature on an intermediate CA; undefined without a connection. @throws RelayError */
  sign?(request: SignRequest): Promise<SignResponse> | undefined;
  /**
   * Keeps both streams open until their signal aborts. Never rejects: when they end for any reason, it opens them
   * again.
   */
  runTransport(streams: TransportStreams): Promise<void>;
}
