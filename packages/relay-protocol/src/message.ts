/** The messages of the two streams, as the state machines speak them. The codec turns them into bytes and back. */
import type { ObjectKey, ObjectKind } from './object/envelope.ts';
import type { InputVersion } from './vector/input-vector.ts';

/** How many deltas and how many bytes of them may be on the way without an answer. */
export interface Window {
  readonly deltas: number;
  readonly bytes: number;
}

/** What an agent that has been here before tells instead of lists: digests of 16 bytes. */
export interface Resume {
  /** Of the list of kinds. `kinds` is empty then, and told when the server asks. */
  readonly kinds: Uint8Array;
  /** Of all content; undefined while it is not known in full. */
  readonly content?: Uint8Array;
  /** Pull: of the vector applied last. */
  readonly vector?: Uint8Array;
  /** Push: the last number of the term that was given to a delta, on whichever stream; undefined from an agent that does not say. */
  readonly number?: number;
}

/** First message of the agent on a stream. */
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
  /** Present when this takes the short way. */
  readonly resume?: Resume;
}

/** The kinds of a hello that took the short way. */
export interface KindList {
  readonly type: 'kinds';
  readonly kinds: readonly ObjectKind[];
}

/** First message of the server on a stream. */
export interface Welcome {
  readonly type: 'welcome';
  readonly capabilities: readonly string[];
  /** Push: what the server grants the agent. */
  readonly window?: Window;
  /** Nothing differs: there is nothing to compare. */
  readonly resumed?: boolean;
  /** Pull, resumed: what the agent has is the whole output set. */
  readonly complete?: boolean;
  /** The list of kinds is wanted. */
  readonly tellKinds?: boolean;
}

/** The sender asks what the receiver has: with its own digest first, then for the entries of some buckets. */
export interface ContentRequest {
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
  /** Objects that exist and cannot be sent as they are now. Only to peers that know of it. */
  readonly oversized?: readonly ObjectRejection[];
}

/** An object that was refused, and why. */
export interface ObjectRejection {
  readonly key: ObjectKey;
  /** Of the version refused; '' for a refused delete. */
  readonly hash: string;
  /** A word for programs, such as `OBJECT_TOO_LARGE` or the applier's own. */
  readonly code: string;
  /** A sentence for people. */
  readonly reason: string;
}

/**
 * What became of a delta. `accepted`: it was taken, but for the objects named as refused. `stale`: not taken, and to be sent again as things are by
 * then. `held`: not taken either, since its inputs cannot be compared with those applied; `stale` follows when sending it again is of use.
 */
export type DeltaResult = 'accepted' | 'held' | 'stale';

export interface Ack {
  readonly type: 'ack';
  readonly number: number;
  readonly result: DeltaResult;
  readonly refused: readonly ObjectRejection[];
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
  /** Of a sender: kinds in which the receiver is behind. */
  readonly lags?: readonly KindLag[];
}

/** How far the receiver is behind in one kind. */
export interface KindLag {
  readonly kind: ObjectKind;
  /** Objects that wait to be sent or answered. */
  readonly entries: number;
  /** Milliseconds since the oldest of them changed. */
  readonly age: number;
}

/** The agent shall connect anew and leave this connection when the new one stands. */
export interface Move {
  readonly type: 'move';
  readonly reason: string;
  /** Milliseconds after which the server ends the connection by itself. */
  readonly within: number;
}

/** What the server asks an agent to do. */
export interface Call {
  readonly type: 'call';
  readonly id: number;
  readonly method: string;
  /** JSON. */
  readonly arguments: Uint8Array;
  /** Milliseconds within which the last reply must be on its way. */
  readonly timeout: number;
  /** How many replies may be on the way unread. */
  readonly credits: number;
}

/** Nobody waits for the replies to a call any more. */
export interface Cancel {
  readonly type: 'cancel';
  readonly id: number;
}

/** More replies to a call may be sent. */
export interface Grant {
  readonly type: 'grant';
  readonly id: number;
  readonly credits: number;
}

/** One of the replies to a call. */
export interface Reply {
  readonly type: 'reply';
  readonly id: number;
  /** JSON; empty when the call failed. */
  readonly result: Uint8Array;
  readonly last: boolean;
  /** Why the call failed; then this is the last reply. */
  readonly failure?: { readonly code: string; readonly reason: string };
}

export type PushRequest = Hello | KindList | ContentRequest | Delta | Heartbeat;
export type PushResponse = Welcome | Have | Ack | Resync | Heartbeat | Move;
export type PullRequest = Hello | KindList | Have | Ack | Resync | Heartbeat;
export type PullResponse = Welcome | ContentRequest | Delta | VectorUpdate | Heartbeat | Move;
export type InvokeRequest = Hello | Reply;
export type InvokeResponse = Welcome | Call | Cancel | Grant;
export type RelayMessage = PushRequest | PushResponse | PullRequest | PullResponse | InvokeRequest | InvokeResponse;
