/** Requests that a pod's application sends, and their responses. */
import type { IncomingHttpHeaders } from 'node:http';

/**
 * A request, sent a number of times. Responding applications use its headers `x-answer-after` (milliseconds),
 * `x-fail-attempts` (number of first attempts to fail), `x-fail-pods` (separated by commas) and `x-fail-status`.
 */
export interface Sending {
  readonly address: string;
  readonly port: number;
  readonly path: string;
  /** The header Host. */
  readonly host: string;
  /** Whether the application itself uses TLS. */
  readonly tls?: boolean;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly times?: number;
  /** Number of concurrent requests. */
  readonly together?: number;
  /** Milliseconds. */
  readonly timeout?: number;
  /** Source address of the connection; the pod's first address by default. */
  readonly localAddress?: string;
}

/** The response. */
export interface Answer {
  /** 0: no response; the body has the reason. */
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  /** Milliseconds. */
  readonly took: number;
  /** If an application responded. */
  readonly by?: Answering;
}

/** An application's report of a request it received. */
export interface Answering {
  /** `<pod>.<cluster>`. */
  readonly pod: string;
  readonly port: number;
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
}
