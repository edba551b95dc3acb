/**
 * Names of all Redis keys. The prefix is a hash tag, so that in a Redis cluster all keys are in one slot and scripts
 * can use them together.
 */

export interface RedisLayout {
  /** Hash: cluster -> head. */
  readonly heads: string;
  /** Prefix before a cluster's name: hash of that cluster's index and objects. */
  readonly contents: string;
  /** Stream of steps. */
  readonly changes: string;
  /** Hash: replica and topic -> announcement. */
  readonly words: string;
  /** Hash: replica -> its heartbeat count. */
  readonly replicas: string;
}

/** The field of a stream's entries. */
export const STEP_FIELD = 's';

export function redisLayout(prefix: string): RedisLayout {
  const name = (what: string): string => `{${prefix}}:${what}`;
  return {
    heads: name('heads'),
    contents: name('contents:'),
    changes: name('changes'),
    words: name('words'),
    replicas: name('replicas'),
  };
}

/** The field of a replica's announcement on a topic. Names of replicas contain no bar. */
export function wordField(replica: string, topic: string): string {
  return `${replica}|${topic}`;
}

/** The field of one bucket of a kind's index. */
export function indexField(kind: string, bucket: number): string {
  return `i|${kind}|${bucket}`;
}

/** The field of one state of an object. Each state has its own field, so none is ever overwritten. */
export function objectField(kind: string, id: string, hash: string): string {
  return `o|${kind}|${id}|${hash}`;
}
