/** Limits for a peer before and outside the relay protocol. */

/** Counts, and times in milliseconds. */
export interface ConnectionLimits {
  /** Total number of connections. */
  readonly connections: number;
  /**
   * Connections without an authenticated caller, shared between the source addresses. A flood of them does not displace
   * authenticated callers.
   */
  readonly unverified: number;
  /** Timeout of the TLS handshake. */
  readonly handshake: number;
  /** Time until the first authenticated call; registration takes no longer. */
  readonly proof: number;
  /** Header bytes of one call. */
  readonly headerBytes: number;
  /** Within `window` milliseconds on one connection: calls opened, pings, changes of settings. */
  readonly calls: number;
  readonly pings: number;
  readonly settings: number;
  readonly window: number;
  /** Calls without a credential, such as registrations, from one address within `anonymousWindow` milliseconds. */
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
