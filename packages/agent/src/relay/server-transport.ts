/** How a leader's streams get to a server: over the relay, or within one process. */
import type { Handlers, RelayClientOptions, SignRequest, SignResponse } from '@meshrelay/relay-protocol';

/** The streams to keep open. */
export type TransportStreams = Pick<RelayClientOptions, 'push' | 'pull' | 'invoke' | 'signal' | 'onState' | 'logger'>;

export interface ServerTransport {
  /** Where it leads, for logs and readiness. */
  readonly to: string;
  /** What the server may ask of the road itself. */
  readonly handlers?: Handlers;
  /** Has the server sign an intermediate CA; undefined while there is no connection to it. @throws RelayError */
  sign?(request: SignRequest): Promise<SignResponse> | undefined;
  /** Keeps both streams open until their signal aborts. Never rejects: whatever ends them is a reason to open them again. */
  runTransport(streams: TransportStreams): Promise<void>;
}
