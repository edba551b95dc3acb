/** Requests as a pod's application sends them, and what comes back. */
import type { IncomingHttpHeaders } from 'node:http';

/**
 * A request, sent a number of times. Applications that answer heed its headers `x-answer-after` (milliseconds), `x-fail-attempts` (of the first so many
 * attempts), `x-fail-pods` (separated by commas) and `x-fail-status`.
 */
export interface Sending {
  readonly address: string;
  readonly port: number;
  readonly path: string;
  /** The header Host. */
  readonly host: string;
  /** Whether the application itself speaks TLS. */
  readonly tls?: boolean;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly times?: number;
  /** How many at the same time. */
  readonly together?: number;
  /** Milliseconds. */
  readonly timeout?: number;
  /** Where the connection begins; the pod's first address unless given. */
  readonly localAddress?: string;
}

/** What came back. */
export interface Answer {
  /** 0: nothing, and the body says why. */
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  /** Milliseconds. */
  readonly took: number;
  /** Where an application answered. */
  readonly by?: Answering;
}

/** What an application says of a request that it got. */
export interface Answering {
  /** `<pod>.<cluster>`. */
  readonly pod: string;
  readonly port: number;
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
}
