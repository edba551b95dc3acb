/** What a test has an application ask, and what came of it. */
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

/** What an application says of a request it got. */
export interface Served {
  readonly pod: string;
  readonly url: string;
  readonly method: string;
  readonly headers: IncomingHttpHeaders;
}
