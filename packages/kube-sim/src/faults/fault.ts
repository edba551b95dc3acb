/** Faults of requests, as data. */

/** A request, as faults are matched against it. */
export interface RequestAttributes {
  /** As in audit logs and RBAC: `get`, `list`, `watch`, `create`, `update`, `patch`, `delete`, `deletecollection`. */
  readonly verb: string;
  /** The path without its query. */
  readonly path: string;
  /** `''` for the core group, and for non-resource paths. */
  readonly group: string;
  /** The plural; `''` for non-resource paths. */
  readonly resource: string;
  /** `''` for cluster-scoped resources and requests over all namespaces. */
  readonly namespace: string;
  /** `''` if the path names no object. */
  readonly name: string;
  /** `''` for the object itself. */
  readonly subresource: string;
  /** The caller's name. */
  readonly user: string;
}

/** The requests that a fault applies to: all given values must match. */
export interface FaultMatch {
  /** Any of these verbs. */
  readonly verbs?: readonly string[];
  readonly group?: string;
  /** The plural. */
  readonly resource?: string;
  readonly namespace?: string;
  readonly name?: string;
  readonly subresource?: string;
  readonly user?: string;
  /** Prefix of the path; the only way to match non-resource requests, such as discovery. */
  readonly path?: string;
}

/** The kind of fault. */
export type Fault =
  /** Answered with this error, such as 403, 429 or 500, before anything is done. */
  | {
      readonly kind: 'error';
      readonly code: number;
      readonly message?: string;
      /** Also sent as Retry-After. Seconds. */
      readonly retryAfterSeconds?: number;
    }
  /** Processed late; later faults in the plan still apply. */
  | { readonly kind: 'delay'; readonly milliseconds: number }
  /** The connection is closed before anything is done. */
  | { readonly kind: 'reset' }
  /** Never processed, never answered; the connection stays. */
  | { readonly kind: 'hang' }
  /**
   * Processed when the fault is removed, even if the client no longer waits: a request that the network delayed for
   * long.
   */
  | { readonly kind: 'held' }
  /** A write is answered as if it had been done, and nothing is stored. */
  | { readonly kind: 'pretended' }
  /** Processed, and then the connection is closed instead of an answer: the caller cannot know the result. */
  | { readonly kind: 'lost-reply' }
  /** The connection is closed in the middle of the answer. */
  | { readonly kind: 'cut-reply' }
  /** A page requested with a continue token is answered with 410. */
  | { readonly kind: 'expired-continue' }
  /** Lists return nothing. */
  | { readonly kind: 'empty-list' }
  /**
   * Reads are served by an API server that lags behind: they show this revision, by default that of the moment the
   * fault was planned. Watches stop. Writes are not affected.
   */
  | { readonly kind: 'stale'; readonly revision?: number }
  /** Watches are closed, running ones and new ones. */
  | { readonly kind: 'dropped-watch' }
  /** Watches end with 410 Expired, running ones and new ones. */
  | { readonly kind: 'expired-watch' }
  /** Watches stay open without further events: later changes are never sent, not even after the fault. */
  | { readonly kind: 'silent-watch' };

/** A fault in a plan. */
export interface FaultRule {
  readonly match: FaultMatch;
  readonly fault: Fault;
  /** Number of matching requests that pass before it applies; default: none. */
  readonly after?: number;
  /** Number of requests it applies to; default: unlimited. */
  readonly times?: number;
}

/** The kinds of faults that apply to watches rather than requests. */
export const WATCH_FAULTS: readonly Fault['kind'][] = ['dropped-watch', 'expired-watch', 'silent-watch'];

/** Whether a request matches. */
export function matches(match: FaultMatch, request: RequestAttributes): boolean {
  const { verbs, path, ...same } = match;
  if (verbs !== undefined && !verbs.includes(request.verb)) return false;
  if (path !== undefined && !request.path.startsWith(path)) return false;
  return Object.entries(same).every(([field, value]) => request[field as keyof typeof same] === value);
}
