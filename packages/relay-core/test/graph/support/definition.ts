/** Random graphs as plain data: a definition lists the nodes and the behaviour of their pure functions. */
import { type Key, key, type Read } from '@meshrelay/plugin';

/** One read of an earlier collection (get, has) or of its index (by, count, any). */
export interface RecordedRead {
  readonly via: 'get' | 'has' | 'by' | 'count' | 'any';
  readonly target: number;
  readonly key: number;
  /** Reads only if this divides the digest of earlier reads, so that the reads of an item change. */
  readonly onlyIf: number;
}

/** One node. Numbers that refer to earlier nodes are taken modulo the number of candidates. */
export interface NodePlan {
  readonly kind: 'derive' | 'deriveMany' | 'match' | 'group' | 'gather' | 'join';
  readonly input: number;
  readonly other: number;
  readonly salt: number;
  readonly reads: readonly RecordedRead[];
  /** Functions of this node throw for about one value in this many; 0: never. */
  readonly poison: number;
}

export interface Definition {
  readonly sources: number;
  readonly nodes: readonly NodePlan[];
}

export const pool: readonly Key[] = ['a', 'b', 'c', 'd', 'e'].map((name) => key(name));

export function pooled(n: number): Key {
  return pool[n % pool.length] as Key;
}

export function sourceName(number: number): string {
  return `source ${number}`;
}

export function nodeName(number: number): string {
  return `node ${number}`;
}

/** Every collection has one index. */
export function indexName(collection: string): string {
  return `index of ${collection}`;
}

/** The names of the collections a node may use, the latest first, so that random graphs are deep. */
export function earlier(definition: Definition, number: number): readonly string[] {
  const names = definition.nodes.slice(0, number).map((_, nth) => nodeName(nth));
  for (let source = 0; source < definition.sources; source++) names.unshift(sourceName(source));
  return names.reverse();
}

export function pick<T>(list: readonly T[], n: number): T {
  return list[n % list.length] as T;
}

/** Two different collections for a join, or the only one. */
export function resolveContext(definition: Definition, number: number, plan: NodePlan): readonly string[] {
  const names = earlier(definition, number);
  return [...new Set([pick(names, plan.input), pick(names, plan.other)])];
}

/** A small number that almost any change of a plain value changes. */
export function digest(value: unknown, salt: number): number {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  let sum = salt + 7;
  for (let i = 0; i < text.length; i++) sum = (sum * 31 + text.charCodeAt(i)) % 65_521;
  return sum;
}

function poisonous(plan: NodePlan, sum: number): boolean {
  return plan.poison > 0 && sum % plan.poison === 0;
}

function refusePoison(plan: NodePlan, sum: number, where: string): void {
  if (poisonous(plan, sum)) throw new Error(`poison in ${where} at ${sum}`);
}

/** A digest of the reads of an item. `read` takes names of collections. */
function lookAround(definition: Definition, number: number, plan: NodePlan, start: number, read: NamedRead): number {
  const names = earlier(definition, number);
  let sum = start;
  for (const lookup of plan.reads) {
    if (sum % lookup.onlyIf !== 0) continue;
    const target = pick(names, lookup.target);
    const at = pooled(lookup.key + sum);
    sum = digest(JSON.stringify(read(lookup.via, target, at) ?? null), sum);
  }
  return sum;
}

/** A read by the name of a collection. `by`, `count` and `any` read its index. */
export type NamedRead = (via: RecordedRead['via'], collection: string, key: Key) => unknown;

export function deriveOutput(
  definition: Definition,
  number: number,
  value: unknown,
  read: NamedRead,
): object | undefined {
  const plan = definition.nodes[number] as NodePlan;
  const sum = lookAround(definition, number, plan, digest(value, plan.salt), read);
  refusePoison(plan, sum, 'derive');
  return sum % 5 === 0 ? undefined : { n: sum % 4, tag: `t${sum % 3}` };
}

export function* manyOutputs(
  definition: Definition,
  number: number,
  value: unknown,
  read: NamedRead,
): Generator<readonly [Key, object]> {
  const plan = definition.nodes[number] as NodePlan;
  const sum = lookAround(definition, number, plan, digest(value, plan.salt), read);
  // A step with a common divisor with the pool sometimes repeats a key, which is an error too.
  for (let i = 0; i < sum % 4; i++) yield [pooled(sum + i * (1 + (sum % 7))), { n: (sum + i) % 3 }];
  refusePoison(plan, sum, 'deriveMany');
}

export function bucketsOf(plan: NodePlan, value: unknown, salt: number): readonly Key[] {
  const sum = digest(value, plan.salt + salt);
  refusePoison(plan, sum, `buckets ${salt}`);
  return [pooled(sum), pooled(sum >> 3), pooled(sum >> 5)].slice(0, 1 + (sum % 3));
}

export function pairMatches(plan: NodePlan, left: unknown, right: unknown): boolean {
  const sum = digest(left, plan.salt) + digest(right, plan.salt);
  refusePoison(plan, sum, 'matches');
  return sum % 3 !== 0;
}

export function contributionsOf(plan: NodePlan, value: unknown): readonly (readonly [Key, number])[] {
  const sum = digest(value, plan.salt);
  refusePoison(plan, sum, 'into');
  const contributions: (readonly [Key, number])[] = [];
  for (let i = 0; i < sum % 4; i++) contributions.push([pooled((sum >> i) % 3), (sum >> (i + 2)) % 6]);
  return contributions;
}

/** The parts of an item for shared keys; sometimes two for one key. */
export function givenParts(
  definition: Definition,
  number: number,
  value: unknown,
  read: NamedRead,
): readonly (readonly [Key, object])[] {
  const plan = definition.nodes[number] as NodePlan;
  const sum = lookAround(definition, number, plan, digest(value, plan.salt), read);
  refusePoison(plan, sum, 'gives');
  return Array.from({ length: sum % 3 }, (_, nth) => [pooled((sum >> nth) % 4), { n: (sum + nth) % 3 }] as const);
}

/** The value made from the parts of a key. */
export function madeOf(
  definition: Definition,
  number: number,
  parts: readonly unknown[],
  read: NamedRead,
): object | undefined {
  const plan = definition.nodes[number] as NodePlan;
  const sum = lookAround(definition, number, plan, digest(parts, plan.salt), read);
  refusePoison(plan, sum, 'make');
  return sum % 4 === 0 ? undefined : { parts, n: sum % 3 };
}

/** A coarse order with many ties; throws for some parts. */
export function compareParts(plan: NodePlan, a: number, b: number): number {
  if (plan.poison > 0 && (a === plan.poison % 6 || b === plan.poison % 6)) throw new Error('poison in compare');
  return (a >> 1) - (b >> 1);
}

/** The buckets of an index; for a collection of a poisoned node, this throws for some values. */
export function indexedUnder(poison: number, value: unknown): readonly Key[] {
  const sum = digest(value, 3);
  if (poison > 0 && sum % (poison + 5) === 0) throw new Error(`poison in extract at ${sum}`);
  return [pooled(sum), pooled(sum >> 2)].slice(0, sum % 3);
}

/** Adapts a graph's `read` to names. */
export function namedRead(
  read: Read,
  collections: ReadonlyMap<string, Parameters<Read['get']>[0]>,
  indexes: ReadonlyMap<string, Parameters<Read['by']>[0]>,
): NamedRead {
  return (via, name, at) => {
    const collection = collections.get(name) as Parameters<Read['get']>[0];
    const index = indexes.get(name) as Parameters<Read['by']>[0];
    if (via === 'get') return read.get(collection, at);
    if (via === 'has') return read.has(collection, at);
    if (via === 'by') return read.by(index, at);
    if (via === 'any') return read.any(index, at);
    return read.count(index, at);
  };
}
