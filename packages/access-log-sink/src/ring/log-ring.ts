/** Recent entries in bounded memory, in which no source can take the room of all others. */
import type { Buffer } from 'node:buffer';
import type { Reporter } from '../attribution/reporter.ts';
import type { CompiledRules } from '../filter/compiled-rules.ts';
import { Page } from './page.ts';
import { PageQueue } from './page-queue.ts';

/** Limits of the ring. */
export interface RingLimits {
  /** Bytes of memory for entries. */
  readonly bytes: number;
  readonly entries: number;
  /** Maximum bytes of one entry; larger ones are not stored. */
  readonly entryBytes: number;
}

export const DEFAULT_RING_LIMITS: RingLimits = { bytes: 64 * 2 ** 20, entries: 500_000, entryBytes: 64 * 1024 };

/** Size of the first page of a stream: small, as many proxies are silent. Each further page is twice as large. */
const FIRST_PAGE = 2 * 1024;
const MAX_PAGE = 16 * 1024;
/** Evicted pages of one size that wait for reuse: one is enough if each replaces another. */
const SPARES = 4;

interface Source {
  readonly address: string;
  readonly pages: PageQueue;
  cost: number;
}

/** Adds entries of one stream. */
export interface RingWriter {
  /** @returns false if the entry is too large */
  add(kind: 'http' | 'tcp', bytes: Buffer, from: number, to: number): boolean;
}

/**
 * The entries of each source (a pod's address) are pages in the order of arrival. When the ring is full, the source
 * with the most memory loses its oldest page; among equals, the one with the oldest page. So a flood evicts its own
 * entries and reuses their memory. Memory left to the garbage collector would be freed only once there is much of it.
 */
export class LogRing {
  readonly #limits: RingLimits;
  readonly #sources = new Map<string, Source>();
  #sequence = 0;
  #bytes = 0;
  #entries = 0;
  #evicted = 0;
  #allocated = 0;
  readonly #spares: Buffer[] = [];

  constructor(limits: Partial<RingLimits> = {}) {
    this.#limits = { ...DEFAULT_RING_LIMITS, ...limits };
  }

  /** Number of stored entries, bytes of memory they take, and number of evicted entries. */
  get counts(): { readonly entries: number; readonly bytes: number; readonly evicted: number } {
    return { entries: this.#entries, bytes: this.#bytes, evicted: this.#evicted };
  }

  /** Bytes of memory ever allocated. In a flood this stays constant once the ring is full. */
  get allocated(): number {
    return this.#allocated;
  }

  /** A writer for one stream as long as its reporter and rules stay the same. */
  writer(reporter: Reporter, rules: CompiledRules): RingWriter {
    let page: Page | undefined;
    let capacity = FIRST_PAGE / 2;
    return {
      add: (kind, bytes, from, to) => {
        const needed = Page.roomFor(to - from);
        if (needed > this.#limits.entryBytes) return false;
        if (page === undefined || !page.add(kind, bytes, from, to)) {
          capacity = Math.min(MAX_PAGE, capacity * 2);
          page = this.#open({ reporter, rules, sequence: this.#sequence++ }, Math.max(capacity, needed));
          page.add(kind, bytes, from, to);
        }
        this.#entries++;
        while (this.#entries > this.#limits.entries && this.#evictOne(page)) {}
        return true;
      },
    };
  }

  /** Pages with their current ends, newest first. Pages evicted meanwhile can still be read. */
  pages(): { readonly page: Page; readonly until: number }[] {
    const all = [...this.#sources.values()].flatMap(({ pages }) => [...pages]);
    for (const page of all) page.lend();
    return all.sort((a, b) => b.sequence - a.sequence).map((page) => ({ page, until: page.used }));
  }

  #open(of: ConstructorParameters<typeof Page>[0], capacity: number): Page {
    const spare = capacity === MAX_PAGE ? this.#spares.pop() : undefined;
    if (spare === undefined) this.#allocated += capacity;
    const page = new Page(of, capacity, spare);
    const { address } = of.reporter;
    let source = this.#sources.get(address);
    if (source === undefined) {
      source = { address, pages: new PageQueue(), cost: 0 };
      this.#sources.set(address, source);
    }
    source.pages.add(page);
    source.cost += page.cost;
    this.#bytes += page.cost;
    while (this.#bytes > this.#limits.bytes && this.#evictOne(page)) {}
    return page;
  }

  /** @returns false if there is only the page that is being written */
  #evictOne(spared: Page): boolean {
    const source = this.#heaviest(spared);
    const page = source?.pages.take(spared);
    if (source === undefined || page === undefined) return false;
    const memory = page.seal();
    if (memory?.length === MAX_PAGE && this.#spares.length < SPARES) this.#spares.push(memory);
    source.cost -= page.cost;
    this.#bytes -= page.cost;
    this.#entries -= page.entries;
    this.#evicted += page.entries;
    if (source.pages.size === 0) this.#sources.delete(source.address);
    return true;
  }

  #heaviest(spared: Page): Source | undefined {
    let found: Source | undefined;
    for (const source of this.#sources.values()) {
      const { oldest, size } = source.pages;
      if (oldest === undefined || (oldest === spared && size === 1)) continue;
      if (found === undefined || source.cost > found.cost || (source.cost === found.cost && older(source, found)))
        found = source;
    }
    return found;
  }
}

function older(a: Source, b: Source): boolean {
  return (a.pages.oldest?.sequence ?? 0) < (b.pages.oldest?.sequence ?? 0);
}
