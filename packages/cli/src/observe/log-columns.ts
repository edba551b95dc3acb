/** Formats entries of access logs as columns. */
import { plain } from '../output/plain.ts';

/** As in the HTTP API. */
export type Entry = Readonly<Record<string, unknown>>;

const HEADER = ['TIME', 'CLUSTER', 'SOURCE', 'DESTINATION', 'STATUS', 'DURATION', 'REQUEST', '', ''];
/** Number of columns as wide as their widest value so far; those after them are not aligned. */
const ALIGNED = 6;
/** Maximum width of a column. */
const WIDEST = 48;

/** Formats lines whose columns keep their width, or grow. */
export class LogColumns {
  readonly #widths = HEADER.map(({ length }) => length);

  header(): string {
    return this.#line(HEADER);
  }

  /** Reserves width for entries that are already known. */
  measure(entries: readonly Entry[]): this {
    for (const entry of entries) this.#grow(cellsOf(entry));
    return this;
  }

  line(entry: Entry): string {
    const cells = cellsOf(entry);
    this.#grow(cells);
    return this.#line(cells);
  }

  #grow(cells: readonly string[]): void {
    for (let at = 0; at < ALIGNED; at++)
      this.#widths[at] = Math.max(this.#widths[at] ?? 0, Math.min(WIDEST, cells[at]?.length ?? 0));
  }

  #line(cells: readonly string[]): string {
    return cells
      .map((cell, at) => (at < ALIGNED ? cell.padEnd(this.#widths[at] ?? 0) : cell))
      .filter((cell, at) => at < ALIGNED || cell !== '')
      .join('  ')
      .trimEnd();
  }
}

function cellsOf(entry: Entry): string[] {
  const { cluster, kind, status, duration, method, path, authority, responseFlags } = entry as Shown;
  const bytes = kind === 'tcp' ? `${entry['receivedBytes'] ?? 0} bytes in, ${entry['sentBytes'] ?? 0} out` : undefined;
  return [
    String(entry['time'] ?? '-'),
    cluster ?? '-',
    nameOf(entry['source'], cluster),
    entry['destination'] === undefined ? (authority ?? '-') : nameOf(entry['destination'], cluster),
    kind === 'tcp' ? 'tcp' : String(status ?? '-'),
    duration === undefined ? '-' : `${rounded(duration)}ms`,
    bytes ?? `${method ?? '-'} ${path ?? '-'}`,
    (responseFlags ?? []).join(','),
    markOf(entry),
  ].map(plain);
}

/**
 * Port 9977 accepts entries without a token, as Istio's proxies send them, so only the address identifies the sender.
 * An address of no known pod may belong to a pod on the host network or to a pod that is too new. So the entry is not
 * rejected, but any client that reaches the port may have sent it.
 */
function markOf({ workload, address }: Entry): string {
  return workload === undefined ? `! from ${address ?? 'an unknown address'}, no known pod` : '';
}

interface Shown {
  readonly cluster?: string;
  readonly kind?: string;
  readonly status?: number;
  readonly duration?: number;
  readonly method?: string;
  readonly path?: string;
  readonly authority?: string;
  readonly responseFlags?: readonly string[];
}

/** `reviews.bookinfo`, with the cluster if it is another one. */
function nameOf(workload: unknown, here: string | undefined): string {
  const { name, namespace, cluster } = (workload ?? {}) as { name?: string; namespace?: string; cluster?: string };
  if (name === undefined) return '-';
  return [name, namespace, cluster === here ? undefined : cluster].filter((part) => part !== undefined).join('.');
}

function rounded(milliseconds: number): string {
  return milliseconds < 10 ? milliseconds.toFixed(1) : milliseconds.toFixed(0);
}
