/** Entries of access logs as columns. */
import { plain } from '../output/plain.ts';

/** As the HTTP API tells it. */
export type Entry = Readonly<Record<string, unknown>>;

const HEADER = ['TIME', 'CLUSTER', 'SOURCE', 'DESTINATION', 'STATUS', 'DURATION', 'REQUEST', '', ''];
/** Columns that are as wide as their widest so far; those behind them end the line. */
const ALIGNED = 6;
/** No column grows beyond this. */
const WIDEST = 48;

/** Writes lines whose columns keep their widths, or grow. */
export class LogColumns {
  readonly #widths = HEADER.map(({ length }) => length);

  header(): string {
    return this.#line(HEADER);
  }

  /** Makes room for what is to come, where it is known. */
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
 * Port 9977 takes entries without a token, as Istio's proxies send them, so the address alone says whose they are. One that is no known pod's may be a
 * pod of the host's network or one that is too new to be known, and so is not refused; but then anybody who reaches the port may have sent it.
 */
function markOf({ workload, address }: Entry): string {
  return workload === undefined ? `! from ${address ?? 'an address that was not told'}, no known pod` : '';
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

/** `reviews.bookinfo`, with the cluster where it is another one. */
function nameOf(workload: unknown, here: string | undefined): string {
  const { name, namespace, cluster } = (workload ?? {}) as { name?: string; namespace?: string; cluster?: string };
  if (name === undefined) return '-';
  return [name, namespace, cluster === here ? undefined : cluster].filter((part) => part !== undefined).join('.');
}

function rounded(milliseconds: number): string {
  return milliseconds < 10 ? milliseconds.toFixed(1) : milliseconds.toFixed(0);
}
