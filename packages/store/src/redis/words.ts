/** Announcements between replicas in addition to snapshots, by topic: the last one of each live replica counts. */

/** Milliseconds without a heartbeat, while Redis was reachable, after which a replica counts as gone. */
const IDLE_TIMEOUT_MS = 10_000;
/** Milliseconds for which the announcements of a gone replica are retained. */
const MEMORY = 600_000;

interface Other {
  readonly topics: Map<string, string>;
  beat: string;
  /** When its heartbeat last changed. */
  at: number;
  living: boolean;
}

export class Words {
  readonly #own = new Map<string, string>();
  #unsaid = new Set<string>();
  readonly #others = new Map<string, Other>();

  /** Announces something on a topic; undefined withdraws it. */
  broadcast(topic: string, body: string | undefined): void {
    if (this.#own.get(topic) === body) return;
    if (body === undefined) this.#own.delete(topic);
    else this.#own.set(topic, body);
    this.#unsaid.add(topic);
  }

  /** Whether this replica announces anything. */
  get hasOwn(): boolean {
    return this.#own.size > 0;
  }

  get hasUnsaid(): boolean {
    return this.#unsaid.size > 0;
  }

  /** Takes the announcements to write now; call `repeat` if the write fails. */
  takeUnsaid(): ReadonlyArray<readonly [topic: string, body: string | undefined]> {
    const topics = [...this.#unsaid];
    this.#unsaid = new Set();
    return topics.map((topic) => [topic, this.#own.get(topic)]);
  }

  /** Marks all announcements to be written again. */
  repeat(): void {
    for (const topic of this.#own.keys()) this.#unsaid.add(topic);
  }

  /** Applies the announcements of another replica. @returns the topics that changed */
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
   * Applies the heartbeats of all replicas.
   * @param fresh whether Redis was unreachable for a while, so that earlier silence does not count
   * @returns replicas that started or are gone, with their topics
   */
  beats(counts: ReadonlyMap<string, string>, now: number, fresh: boolean): Array<readonly [string, string[]]> {
    const changed: Array<readonly [string, string[]]> = [];
    for (const replica of counts.keys()) this.#other(replica, now);
    for (const [replica, other] of this.#others) {
      const beat = counts.get(replica) ?? '';
      if (beat !== other.beat || fresh) other.at = now;
      other.beat = beat;
      const living = now - other.at < IDLE_TIMEOUT_MS;
      if (living !== other.living) changed.push([replica, [...other.topics.keys()]]);
      other.living = living;
    }
    return changed;
  }

  /** Removes replicas that have been gone for long. @returns them */
  forgetGone(now: number): string[] {
    const gone = [...this.#others].flatMap(([replica, { at }]) => (now - at > MEMORY ? replica : []));
    for (const replica of gone) this.#others.delete(replica);
    return gone;
  }

  /** Announcements of live replicas, by replica and topic. */
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
