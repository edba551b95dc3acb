/** How much a peer may do to a server before, and beside, speaking the protocol. */

/** Counts of things and milliseconds. */
export interface ConnectionLimits {
  /** Connections in all. */
  readonly connections: number;
  /** Connections on which nobody has proved who they are, shared by the addresses that want them. A flood of them takes no room of those who have. */
  readonly unverified: number;
  /** Until TLS stands. */
  readonly handshake: number;
  /** Until the first call by a caller who has proved who it is; registering takes no longer. */
  readonly proof: number;
  /** Bytes of the headers of one call. */
  readonly headerBytes: number;
  /** Within `window` milliseconds on one connection: calls opened, pings, changes of settings. */
  readonly calls: number;
  readonly pings: number;
  readonly settings: number;
  readonly window: number;
  /** Within `anonymousWindow` milliseconds from one address: calls of callers who prove nothing, as those who register do. */
  readonly anonymousCalls: number;
  readonly anonymousWindow: number;
}

const SECOND = 1000;

export const DEFAULT_CONNECTION_LIMITS: ConnectionLimits = {
  connections: 10_000,
  unverified: 1024,
  handshake: 5 * SECOND,
  proof: 20 * SECOND,
  headerBytes: 16 * 1024,
  calls: 100,
  pings: 100,
  settings: 20,
  window: 10 * SECOND,
  anonymousCalls: 100,
  anonymousWindow: 60 * SECOND,
};
