/** What can be made to go wrong with requests, as data. */

/** A request, as faults are matched against it. */
export interface RequestAttributes {
  /** As audit logs and RBAC call it: `get`, `list`, `watch`, `create`, `update`, `patch`, `delete`, `deletecollection`. */
  readonly verb: string;
  /** The path without its query. */
  readonly path: string;
  /** `''` for the core group, and for paths that are no resource. */
  readonly group: string;
  /** The plural; `''` for paths that are no resource. */
  readonly resource: string;
  /** `''` for cluster-scoped resources and requests over all namespaces. */
  readonly namespace: string;
  /** `''` where the path names no object. */
  readonly name: string;
  /** `''` for the object itself. */
  readonly subresource: string;
  /** The caller's name. */
  readonly user: string;
}

/** Which requests a fault strikes: those that have every value given here. */
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
  /** How the path begins; the only way to strike requests that are for no resource, such as discovery. */
  readonly path?: string;
}

/** What goes wrong. */
export type Fault =
  /** Answered with this failure, such as 403, 429 or 500, before anything is done. */
  | {
      readonly kind: 'error';
      readonly code: number;
      readonly message?: string;
      /** Sent as Retry-After, too. Seconds. */
      readonly retryAfterSeconds?: number;
    }
  /** Taken up late; faults after this one in the plan still strike. */
  | { readonly kind: 'delay'; readonly milliseconds: number }
  /** The connection is cut before anything is done. */
  | { readonly kind: 'reset' }
  /** Never done, never answered; the connection stays. */
  | { readonly kind: 'hang' }
  /** Taken up when the fault is lifted, whether or not anybody still waits: a request that the network has kept for long. */
  | { readonly kind: 'held' }
  /** A write is answered with what it says, as if it had been done, and nothing is stored. */
  | { readonly kind: 'pretended' }
  /** Done, and then the connection is cut instead of an answer: the caller cannot know. */
  | { readonly kind: 'lost-reply' }
  /** The connection is cut in the middle of the answer. */
  | { readonly kind: 'cut-reply' }
  /** A page that is asked for with a continue token is answered with 410. */
  | { readonly kind: 'expired-continue' }
  /** Lists answer that there is nothing. */
  | { readonly kind: 'empty-list' }
  /**
   * Reads are served by an API server that hangs behind: what there was at this revision, that of the moment the fault
   * was planned unless told. Watches stand still. Writes are not affected.
   */
  | { readonly kind: 'stale'; readonly revision?: number }
  /** Watches are cut off, running ones and new ones. */
  | { readonly kind: 'dropped-watch' }
  /** Watches end with 410 Expired, running ones and new ones. */
  | { readonly kind: 'expired-watch' }
  /** Watches stay open and say nothing any more: what happens meanwhile they never tell, not even after the fault. */
  | { readonly kind: 'silent-watch' };

/** A fault in a plan. */
export interface FaultRule {
  readonly match: FaultMatch;
  readonly fault: Fault;
  /** So many matching requests pass before it strikes; none unless told. */
  readonly after?: number;
  /** So often it strikes, then it is spent; without end unless told. */
  readonly times?: number;
}

/** The kinds of faults that strike watches rather than requests. */
export const WATCH_FAULTS: readonly Fault['kind'][] = ['dropped-watch', 'expired-watch', 'silent-watch'];

/** Whether a request is one of those. */
export function matches(match: FaultMatch, request: RequestAttributes): boolean {
  const { verbs, path, ...same } = match;
  if (verbs !== undefined && !verbs.includes(request.verb)) return false;
  if (path !== undefined && !request.path.startsWith(path)) return false;
  return Object.entries(same).every(([field, value]) => request[field as keyof typeof same] === value);
}
