/** The messages of the streams as the state machines use them. The codec converts them to bytes and back. */
import type { ObjectKey, ObjectKind } from './object/envelope.ts';
import type { InputVersion } from './vector/input-vector.ts';

/** Limits of unacknowledged deltas and their bytes. */
export interface Window {
  readonly deltas: number;
  readonly bytes: number;
}

/** Digests of 16 bytes that a reconnecting agent sends instead of lists. */
export interface Resume {
  /** Digest of the list of kinds. `kinds` is empty then, and sent when the server requests it. */
  readonly kinds: Uint8Array;
  /** Digest of all content; undefined while the content is not synced. */
  readonly content?: Uint8Array;
  /** Pull: digest of the vector applied last. */
  readonly vector?: Uint8Array;
  /** Push: the last delta number of the term, on any stream; undefined from an agent that does not send it. */
  readonly number?: number;
}

/** First message of the agent on a stream. */
export interface Hello {
  readonly type: 'hello';
  /** '' or the cluster of the client certificate. */
  readonly cluster: string;
  /** The agent's leader term. */
  readonly term: number;
  /** Push: kinds that will be sent. Pull: kinds that may be applied. */
  readonly kinds: readonly ObjectKind[];
  readonly capabilities: readonly string[];
  /** Name and version, for logs. */
  readonly program: string;
  /** Mesh plugins whose discovery failed in this term, each with the reason. */
  readonly failedPlugins?: readonly string[];
  /** Pull: the window that the agent grants the server. */
  readonly window?: Window;
  /** Present when the agent tries to resume. */
  readonly resume?: Resume;
}

/** The kinds that a resuming hello left out. */
export interface KindList {
  readonly type: 'kinds';
  readonly kinds: readonly ObjectKind[];
}

/** First message of the server on a stream. */
export interface Welcome {
  readonly type: 'welcome';
  readonly capabilities: readonly string[];
  /** Push: the window that the server grants the agent. */
  readonly window?: Window;
  /** Nothing differs: no comparison follows. */
  readonly resumed?: boolean;
  /** Pull, resumed: the agent has the whole output set. */
  readonly complete?: boolean;
  /** The server requests the list of kinds. */
  readonly sendKinds?: boolean;
}

/** The sender requests the receiver's content: first with its own digest, then the entries of some buckets. */
export interface ContentRequest {
  readonly type: 'contentRequest';
  readonly kind: ObjectKind;
  /** Number of the comparison of this kind. */
  readonly round: number;
  readonly ask: { readonly digest: Uint8Array } | { readonly buckets: bigint };
}

/** Name and hash of an object. */
export interface Entry {
  readonly namespace: string;
  readonly name: string;
  readonly hash: string;
}

/** The receiver's answer to a ContentRequest. */
export interface Have {
  readonly type: 'have';
  readonly kind: ObjectKind;
  /** Round of the ContentRequest. */
  readonly round: number;
  readonly answer:
    | { readonly same: true }
    | { readonly bucketDigests: Uint8Array }
    | { readonly entries: readonly Entry[]; readonly last: boolean };
}

/** An object in a delta, or a part of one. Shared when the same object goes to many peers. */
export interface Upsert {
  readonly namespace: string;
  readonly name: string;
  readonly hash: string;
  readonly body: Uint8Array;
  /** Present in a part: the length of the whole body and the offset of this part. */
  readonly part?: { readonly total: number; readonly offset: number };
}

export interface Delta {
  readonly type: 'delta';
  readonly number: number;
  readonly kind: ObjectKind;
  readonly upserts: readonly Upsert[];
  readonly deletes: ReadonlyArray<{ readonly namespace: string; readonly name: string }>;
  readonly complete: boolean;
  /** Objects that exist and cannot be sent now. Only for peers with this capability. */
  readonly oversized?: readonly ObjectRejection[];
}

/** A rejected object, and the reason. */
export interface ObjectRejection {
  readonly key: ObjectKey;
  /** Hash of the rejected version; '' for a rejected delete. */
  readonly hash: string;
  /** A code for programs, such as `OBJECT_TOO_LARGE` or a code of the applier. */
  readonly code: string;
  /** A sentence for users. */
  readonly reason: string;
}

/**
 * Result of a delta. `accepted`: applied, except the objects named as rejected. `stale`: not applied; the sender sends
 * the then current state again. `held`: not applied, since its inputs cannot be compared with those applied; `stale`
 * follows when sending it again helps.
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
  /** Empty: all kinds. */
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
  /** From a sender: kinds in which the receiver is behind. */
  readonly lags?: readonly KindLag[];
}

/** Lag of the receiver in one kind. */
export interface KindLag {
  readonly kind: ObjectKind;
  /** Objects that wait to be sent or acknowledged. */
  readonly entries: number;
  /** Milliseconds since the oldest change of them. */
  readonly age: number;
}

/** The agent must reconnect, and leave this connection when the new one is open. */
export interface Move {
  readonly type: 'move';
  readonly reason: string;
  /** Milliseconds after which the server closes the connection itself. */
  readonly within: number;
}

/** A call of the server to an agent. */
export interface Call {
  readonly type: 'call';
  readonly id: number;
  readonly method: string;
  /** JSON. */
  readonly arguments: Uint8Array;
  /** Milliseconds within which the last reply must be sent. */
  readonly timeout: number;
  /** Limit of unread replies. */
  readonly credits: number;
}

/** The caller no longer waits for replies to a call. */
export interface Cancel {
  readonly type: 'cancel';
  readonly id: number;
}

/** Permits more replies to a call. */
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
  /** Why the call failed; this is then the last reply. */
  readonly failure?: { readonly code: string; readonly reason: string };
}

export type PushRequest = Hello | KindList | ContentRequest | Delta | Heartbeat;
export type PushResponse = Welcome | Have | Ack | Resync | Heartbeat | Move;
export type PullRequest = Hello | KindList | Have | Ack | Resync | Heartbeat;
export type PullResponse = Welcome | ContentRequest | Delta | VectorUpdate | Heartbeat | Move;
export type InvokeRequest = Hello | Reply;
export type InvokeResponse = Welcome | Call | Cancel | Grant;
export type RelayMessage = PushRequest | PushResponse | PullRequest | PullResponse | InvokeRequest | InvokeResponse;
