/** The names of everything in Redis. The prefix is a hash tag, so that in a cluster all of it lives in one slot and scripts can join it. */

export interface RedisLayout {
  /** Hash: cluster -> head. */
  readonly heads: string;
  /** Before a cluster's name: hash of that cluster's index and objects. */
  readonly contents: string;
  /** Stream of steps. */
  readonly changes: string;
  /** Hash: cluster -> report. */
  readonly reports: string;
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
    reports: name('reports'),
    replicas: name('replicas'),
  };
}

/** The field of one bucket of a kind's index. */
export function indexField(kind: string, bucket: number): string {
  return `i|${kind}|${bucket}`;
}

/** The field of one state of an object: another state has another field, so that none is ever written over. */
export function objectField(kind: string, id: string, hash: string): string {
  return `o|${kind}|${id}|${hash}`;
}
