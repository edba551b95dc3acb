/** Orders of the parent to the process of simulated Envoys, and the replies. */

export type EnvoyOrder =
  /**
   * Opens a delta stream for each Envoy, subscribes to everything, and acknowledges responses. Answered once each has
   * all clusters' endpoints.
   */
  | { readonly order: 'envoys'; readonly port: number; readonly envoys: number; readonly clusters: number }
  /** Opens the same number of bare streams. */
  | { readonly order: 'bare'; readonly port: number; readonly envoys: number }
  /** Whether messages are acknowledged as they arrive, or all of them at the next such order. */
  | { readonly order: 'acknowledge'; readonly when: 'at once' | 'later' }
  /** Waits until the given number of messages has arrived since the last such order; answered with their contents. */
  | { readonly order: 'receive'; readonly messages: number };

export interface Received {
  readonly messages: number;
  /** Number of resources in them; none for bare streams. */
  readonly resources: number;
}

/** The first message to the process. */
export interface EnvoysBegin {
  /** PEM. */
  readonly roots: string;
}

/** A method without a message type: raw bytes. */
export const BARE_METHOD = '/bench.Bare/Stream';
