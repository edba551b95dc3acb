/** The messages of the two streams, as the state machines speak them. The codec turns them into bytes and back. */
import type { ObjectKey, ObjectKind } from './object/envelope.ts';
import type { InputVersion } from './vector/input-vector.ts';

/** How many deltas and how many bytes of them may be on the way without an answer. */
export interface Window {
  readonly deltas: number;
  readonly bytes: number;
}

/** First message of the agent on either stream. */
export interface Hello {
  readonly type: 'hello';
  /** '' or the cluster of the client certificate. */
  readonly cluster: string;
  /** The agent's term of office. */
  readonly term: number;
  /** Push: what will be sent. Pull: what may be applied. */
  readonly kinds: readonly ObjectKind[];
  readonly capabilities: readonly string[];
  /** Name and version, for logs. */
  readonly program: string;
  /** Pull: what the agent grants the server. */
  readonly window?: Window;
}

/** First message of the server on either stream. */
export interface Welcome {
  readonly type: 'welcome';
  readonly capabilities: readonly string[];
  /** Push: what the server grants the agent. */
  readonly window?: Window;
}

/** The sender asks what the receiver has: with its own digest first, then for the entries of some buckets. */
export interface Want {
  readonly type: 'want';
  readonly kind: ObjectKind;
  /** Which comparison of this kind it is. */
  readonly round: number;
  readonly ask: { readonly digest: Uint8Array } | { readonly buckets: bigint };
}

/** Name and hash of an object. */
export interface Entry {
  readonly namespace: string;
  readonly name: string;
  readonly hash: string;
}

/** The receiver's answer to a Want. */
export interface Have {
  readonly type: 'have';
  readonly kind: ObjectKind;
  /** Of the Want. */
  readonly round: number;
  readonly answer:
    | { readonly same: true }
    | { readonly bucketDigests: Uint8Array }
    | { readonly entries: readonly Entry[]; readonly last: boolean };
}

/** An object in a delta, or a part of one. Shared where the same object goes to many peers. */
export interface Upsert {
  readonly namespace: string;
  readonly name: string;
  readonly hash: string;
  readonly body: Uint8Array;
  /** Present in a part: the whole body's length and where this part stands in it. */
  readonly part?: { readonly total: number; readonly offset: number };
}

export interface Delta {
  readonly type: 'delta';
  readonly number: number;
  readonly kind: ObjectKind;
  readonly upserts: readonly Upsert[];
  readonly deletes: ReadonlyArray<{ readonly namespace: string; readonly name: string }>;
  readonly complete: boolean;
}

/** An object that was refused, and why. */
export interface Refusal {
  readonly key: ObjectKey;
  /** Of the version refused; '' for a refused delete. */
  readonly hash: string;
  /** A word for programs, such as `OBJECT_TOO_LARGE` or the applier's own. */
  readonly code: string;
  /** A sentence for people. */
  readonly reason: string;
}

export type Verdict = 'accepted' | 'held' | 'stale';

export interface Ack {
  readonly type: 'ack';
  readonly number: number;
  readonly verdict: Verdict;
  readonly refused: readonly Refusal[];
  /** Held and stale: the components of the vector that are behind. */
  readonly behind: readonly string[];
}

export interface Resync {
  readonly type: 'resync';
  /** Empty: all of them. */
  readonly kinds: readonly ObjectKind[];
  readonly reason: string;
}

export interface VectorUpdate {
  readonly type: 'vector';
  readonly full: boolean;
  readonly components: ReadonlyArray<{ readonly name: string; readonly version: InputVersion | 'gone' }>;
  readonly last: boolean;
}

export interface Heartbeat {
  readonly type: 'heartbeat';
  readonly answered: number;
}

export type PushRequest = Hello | Want | Delta | Heartbeat;
export type PushResponse = Welcome | Have | Ack | Resync | Heartbeat;
export type PullRequest = Hello | Have | Ack | Resync | Heartbeat;
export type PullResponse = Welcome | Want | Delta | VectorUpdate | Heartbeat;
export type RelayMessage = PushRequest | PushResponse | PullRequest | PullResponse;
