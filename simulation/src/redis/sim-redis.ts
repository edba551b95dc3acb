/**
 * A simulated Redis: the snapshot store's scripts and commands on hashes and one stream, with every kind of data loss.
 */
import { Buffer } from 'node:buffer';
// Keyed by the scripts' own names: a script that changes there and not here becomes an unknown script instead of a
// wrong one.
import * as scripts from '@meshrelay/store/redis-scripts';
import { VERSION_LENGTH } from '@meshrelay/store/stored-version';

type Hash = Map<string, Buffer>;

interface Entry {
  readonly id: number;
  readonly value: Buffer;
}

/** All data. */
interface Data {
  readonly hashes: Map<string, Hash>;
  stream: Entry[];
  last: number;
}

export class SimRedis {
  /** Changes at each restart, which disconnects all clients. */
  life = 0;
  down = false;
  #data: Data = empty();
  #saved: Data = empty();
  readonly #waiting = new Set<() => void>();

  /** Deletes all data, as FLUSHALL or eviction does. */
  flush(): void {
    this.#data = empty();
  }

  /** The state to which a later failover returns. */
  save(): void {
    this.#saved = copy(this.#data);
  }

  /** Loses writes since the last save, as in a failover or after loading an old file; connections are lost too. */
  rollBack(): void {
    this.#data = copy(this.#saved);
    this.restart();
  }

  restart(): void {
    this.life++;
    this.#wake();
  }

  /** Flips one bit in each of some values. */
  tamper(pick: (size: number) => number): void {
    for (const hash of this.#data.hashes.values()) {
      const fields = [...hash.keys()];
      const field = fields[pick(fields.length)];
      const value = field === undefined ? undefined : hash.get(field);
      if (field === undefined || value === undefined || value.length === 0) continue;
      const changed = Buffer.from(value);
      const at = pick(changed.length);
      changed[at] = (changed[at] ?? 0) ^ 1;
      hash.set(field, changed);
    }
  }

  /** Called once when an entry was added to the stream, or connections were lost. */
  wait(notify: () => void): () => void {
    this.#waiting.add(notify);
    return () => this.#waiting.delete(notify);
  }

  /** Entries after an id of the stream; null without such entries. */
  read(key: string, after: string): unknown {
    const from = Number(after.split('-')[0]);
    const found = this.#data.stream.filter(({ id }) => id > from).slice(0, 128);
    if (found.length === 0) return null;
    return [[Buffer.from(key), found.map(({ id, value }) => [Buffer.from(`${id}-0`), [Buffer.from('s'), value]])]];
  }

  /** Runs a script. @throws Error for a script that the store does not define */
  run(sha: string, keys: readonly string[], words: readonly Buffer[]): unknown {
    const [first = '', contents = '', changes = ''] = keys;
    const text = words.map(String);
    switch (sha) {
      case scripts.COMMIT.sha:
        return this.#commit({ heads: first, contents, changes }, text, words);
      case scripts.CLEAR.sha: {
        const there = this.#version(first, text[0] ?? '');
        if (there !== text[1]) return [0, Buffer.from(there)];
        this.#data.hashes.get(first)?.delete(text[0] ?? '');
        this.#data.hashes.delete(contents);
        return [1];
      }
      case scripts.UPLOAD.sha:
        for (let at = 0; at < words.length; at += 2) this.#hash(first).set(text[at] ?? '', words[at + 1] as Buffer);
        return [1];
      case scripts.SURVEY.sha:
        return [...(this.#data.hashes.get(first)?.keys() ?? [])].flatMap((name) => [
          Buffer.from(name),
          Buffer.from(this.#version(first, name)),
          this.#data.hashes.get(`${text[0]}${name}`)?.size ?? 0,
        ]);
      case scripts.FETCH.sha:
        return text.slice(2).map((field) => this.#data.hashes.get(first)?.get(field) ?? null);
      case scripts.ANNOUNCE.sha:
        return this.#add(words[1] as Buffer);
      case scripts.SAY.sha:
        this.#add(words[1] as Buffer);
        for (let at = 2; at < words.length; at += 2)
          if (words[at + 1]?.length === 0) this.#data.hashes.get(first)?.delete(text[at] ?? '');
          else this.#hash(first).set(text[at] ?? '', words[at + 1] as Buffer);
        return [1];
      case scripts.BEAT.sha:
        return this.#beat(first, contents, text);
      case scripts.FIELDS.sha:
        return [...(this.#data.hashes.get(first)?.keys() ?? [])].map((field) => Buffer.from(field));
      case scripts.FORGET.sha:
        this.#data.hashes.get(first)?.delete(text[0] ?? '');
        for (const field of text.slice(1)) this.#data.hashes.get(contents)?.delete(field);
        return [1];
      case scripts.TIP.sha:
        return Buffer.from(`${this.#data.stream.at(-1)?.id ?? 0}-0`);
      default:
        throw new Error(`the simulated Redis knows no script ${sha}; add it to simulation/src/redis`);
    }
  }

  #commit(
    { heads, contents }: { readonly heads: string; readonly contents: string; readonly changes: string },
    text: readonly string[],
    words: readonly Buffer[],
  ): unknown {
    const [cluster = '', expected, mode] = text;
    const there = this.#version(heads, cluster);
    if (there !== expected) return [0, Buffer.from(there)];
    if (mode === 'whole') this.#data.hashes.delete(contents);
    else if (mode === 'patch' && !this.#data.hashes.has(contents)) return [2];
    const deleted = Number(text[7]);
    this.#hash(heads).set(cluster, words[5] as Buffer);
    for (let at = 8 + deleted; at < words.length; at += 2)
      this.#hash(contents).set(text[at] ?? '', words[at + 1] as Buffer);
    for (let at = 8; at < 8 + deleted; at++) this.#hash(contents).delete(text[at] ?? '');
    if ((words[6]?.length ?? 0) > 0) this.#add(words[6] as Buffer);
    return [1];
  }

  #beat(replicas: string, words: string, [replica = '', , field = '']: readonly string[]): unknown {
    const beats = this.#hash(replicas);
    beats.set(replica, Buffer.from(String(Number(beats.get(replica) ?? 0) + 1)));
    const cached = this.#data.hashes.get(words)?.has(field) === true ? 1 : 0;
    return [cached, ...[...beats].flatMap(([name, count]) => [Buffer.from(name), count])];
  }

  #add(value: Buffer): Buffer {
    const id = ++this.#data.last;
    this.#data.stream.push({ id, value });
    this.#wake();
    return Buffer.from(`${id}-0`);
  }

  #version(key: string, field: string): string {
    return this.#data.hashes.get(key)?.get(field)?.toString('latin1', 0, VERSION_LENGTH) ?? '';
  }

  #hash(key: string): Hash {
    const known = this.#data.hashes.get(key);
    if (known !== undefined) return known;
    const hash: Hash = new Map();
    this.#data.hashes.set(key, hash);
    return hash;
  }

  #wake(): void {
    for (const notify of [...this.#waiting]) notify();
  }
}

function empty(): Data {
  return { hashes: new Map(), stream: [], last: 0 };
}

function copy({ hashes, stream, last }: Data): Data {
  return { hashes: new Map([...hashes].map(([key, hash]) => [key, new Map(hash)])), stream: [...stream], last };
}
