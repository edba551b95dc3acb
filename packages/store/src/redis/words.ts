/** What replicas tell each other beside snapshots, by topic: the last word of each counts, while it lives. */

/** A replica that has not been heard for so long, while Redis was reached, is gone, in milliseconds. */
const SILENCE_TIMEOUT_MS = 10_000;
/** What a replica that is gone has said is kept this long. */
const MEMORY = 600_000;

interface Other {
  readonly topics: Map<string, string>;
  beat: string;
  /** When its beat was last another. */
  at: number;
  living: boolean;
}

export class Words {
  readonly #own = new Map<string, string>();
  #unsaid = new Set<string>();
  readonly #others = new Map<string, Other>();

  /** Says something on a topic; undefined takes back what was said. */
  broadcast(topic: string, body: string | undefined): void {
    if (this.#own.get(topic) === body) return;
    if (body === undefined) this.#own.delete(topic);
    else this.#own.set(topic, body);
    this.#unsaid.add(topic);
  }

  /** Whether anything is said here. */
  get hasOwn(): boolean {
    return this.#own.size > 0;
  }

  get hasUnsaid(): boolean {
    return this.#unsaid.size > 0;
  }

  /** What is to be written now; whoever cannot write it calls `repeat`. */
  takeUnsaid(): ReadonlyArray<readonly [topic: string, body: string | undefined]> {
    const topics = [...this.#unsaid];
    this.#unsaid = new Set();
    return topics.map((topic) => [topic, this.#own.get(topic)]);
  }

  /** All of it must be written again. */
  repeat(): void {
    for (const topic of this.#own.keys()) this.#unsaid.add(topic);
  }

  /** Another replica has said this. @returns the topics on which it says something else than before */
  peerAnnouncements(
    replica: string,
    words: Iterable<readonly [topic: string, body: string | undefined]>,
    now: number,
  ): string[] {
    const { topics } = this.#other(replica, now);
    const pendingUpdates: string[] = [];
    for (const [topic, body] of words) {
      if (topics.get(topic) === body) continue;
      if (body === undefined) topics.delete(topic);
      else topics.set(topic, body);
      pendingUpdates.push(topic);
    }
    return pendingUpdates;
  }

  /**
   * Takes up all replicas' beats.
   * @param fresh Redis was not reached for a while, so nobody's silence so far counts
   * @returns replicas that came to life or are gone, with their topics
   */
  beats(counts: ReadonlyMap<string, string>, now: number, fresh: boolean): Array<readonly [string, string[]]> {
    const changed: Array<readonly [string, string[]]> = [];
    for (const replica of counts.keys()) this.#other(replica, now);
    for (const [replica, other] of this.#others) {
      const beat = counts.get(replica) ?? '';
      if (beat !== other.beat || fresh) other.at = now;
      other.beat = beat;
      const living = now - other.at < SILENCE_TIMEOUT_MS;
      if (living !== other.living) changed.push([replica, [...other.topics.keys()]]);
      other.living = living;
    }
    return changed;
  }

  /** Forgets replicas that are gone for long. @returns them */
  forgetGone(now: number): string[] {
    const gone = [...this.#others].flatMap(([replica, { at }]) => (now - at > MEMORY ? replica : []));
    for (const replica of gone) this.#others.delete(replica);
    return gone;
  }

  /** By replica and topic, of those that live. */
  get others(): ReadonlyMap<string, ReadonlyMap<string, string>> {
    return new Map([...this.#others].flatMap(([replica, { topics, living }]) => (living ? [[replica, topics]] : [])));
  }

  #other(replica: string, now: number): Other {
    const known = this.#others.get(replica);
    if (known !== undefined) return known;
    const other: Other = { topics: new Map(), beat: '', at: now, living: true };
    this.#others.set(replica, other);
    return other;
  }
}
