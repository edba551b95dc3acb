/** A request that a test sends through an application, and its result. */
import type { IncomingHttpHeaders } from 'node:http';

export interface Requested {
  /** By the name that applications use. */
  readonly url: string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** An application's report of a request it received. */
export interface Served {
  readonly pod: string;
  readonly url: string;
  readonly method: string;
  readonly headers: IncomingHttpHeaders;
}
