/** The names of everything in Redis. The prefix is a hash tag, so that in a cluster all of it lives in one slot and scripts can join it. */

export interface RedisLayout {
  /** Hash: cluster -> head. */
  readonly heads: string;
  /** Before a cluster's name: hash of that cluster's index and objects. */
  readonly contents: string;
  /** Stream of steps. */
  readonly changes: string;
  /** Hash: replica and topic -> what it says. */
  readonly words: string;
  /** Hash: replica -> its beat. */
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

/** The field of what a replica says on a topic. Names of replicas hold no bar. */
export function wordField(replica: string, topic: string): string {
  return `${replica}|${topic}`;
}

/** The field of one bucket of a kind's index. */
export function indexField(kind: string, bucket: number): string {
  return `i|${kind}|${bucket}`;
}

/** The field of one state of an object: another state has another field, so that none is ever written over. */
export function objectField(kind: string, id: string, hash: string): string {
  return `o|${kind}|${id}|${hash}`;
}
