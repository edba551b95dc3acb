/** Rings of files: each imports the next, types included. A reader of one file must know all files of its ring. */

/** The rings, the longest first; each with its files in order. A file is in at most one ring. */
export function findRings(edges: ReadonlyMap<string, readonly string[]>): string[][] {
  const walk = new RingWalk(edges);
  for (const file of [...edges.keys()].sort()) walk.visit(file);
  return walk.rings.sort((a, b) => b.length - a.length || ((a[0] ?? '') < (b[0] ?? '') ? -1 : 1));
}

/** Tarjan's algorithm: a ring is a strongly connected component of more than one file. */
class RingWalk {
  readonly rings: string[][] = [];
  readonly #edges: ReadonlyMap<string, readonly string[]>;
  readonly #order = new Map<string, number>();
  readonly #lowest = new Map<string, number>();
  readonly #open: string[] = [];

  constructor(edges: ReadonlyMap<string, readonly string[]>) {
    this.#edges = edges;
  }

  visit(file: string): void {
    if (this.#order.has(file)) return;
    const order = this.#order.size;
    this.#order.set(file, order);
    this.#lowest.set(file, order);
    this.#open.push(file);
    for (const next of this.#edges.get(file) ?? []) {
      if (!this.#order.has(next)) {
        this.visit(next);
        this.#lower(file, this.#lowest.get(next));
      } else if (this.#open.includes(next)) {
        this.#lower(file, this.#order.get(next));
      }
    }
    if (this.#lowest.get(file) === order) this.#close(file);
  }

  #lower(file: string, to = 0): void {
    this.#lowest.set(file, Math.min(this.#lowest.get(file) ?? to, to));
  }

  #close(file: string): void {
    const ring = this.#open.splice(this.#open.indexOf(file));
    if (ring.length > 1) this.rings.push(ring.sort());
  }
}

/** Maximum number of rings, and of files in them. Both may only become smaller. */
export interface RingLimit {
  readonly rings: number;
  readonly files: number;
}

/** Violations, one line each; empty if there are exactly as many rings as the limit allows. */
export function checkRings(rings: ReadonlyArray<readonly string[]>, limit: RingLimit): string[] {
  const found: RingLimit = { rings: rings.length, files: rings.reduce((sum, ring) => sum + ring.length, 0) };
  if (found.rings === limit.rings && found.files === limit.files) return [];
  const text = ({ rings: count, files }: RingLimit): string => `${count} rings with ${files} files`;
  if (found.rings <= limit.rings && found.files <= limit.files)
    return [
      `files import each other in ${text(found)}, the limit is ${text(limit)}; lower it in scripts/imports/rules.ts`,
    ];
  return [
    `files import each other in ${text(found)}, types included, the limit is ${text(limit)}; move what both need into a file of its own`,
    ...rings.map((ring) => `  ring of ${ring.length}: ${ring.join(', ')}`),
  ];
}
