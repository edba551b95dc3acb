/** What the parent asks of the process of simulated Envoys, and what it answers. */

export type EnvoyOrder =
  /** Opens a delta stream for each Envoy, asks for everything, and answers what comes. Answered once each has all clusters' endpoints. */
  | { readonly order: 'envoys'; readonly port: number; readonly envoys: number; readonly clusters: number }
  /** Opens as many bare streams. */
  | { readonly order: 'bare'; readonly port: number; readonly envoys: number }
  /** Whether messages are acknowledged as they come, or all of them when told to do so again. */
  | { readonly order: 'acknowledge'; readonly when: 'at once' | 'later' }
  /** Waits until so many messages have come since the last such order; answered with what they held. */
  | { readonly order: 'receive'; readonly messages: number };

export interface Received {
  readonly messages: number;
  /** Resources in them; of bare streams none. */
  readonly resources: number;
}

/** The first message to the process. */
export interface EnvoysBegin {
  /** PEM. */
  readonly roots: string;
}

/** A method without messages of anybody's: bytes as they are. */
export const BARE_METHOD = '/bench.Bare/Stream';
