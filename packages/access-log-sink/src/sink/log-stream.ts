/** One stream of access log messages of one proxy: each entry is counted, filtered, stored and sent to tails. */
import type { Buffer } from 'node:buffer';
import type { Attribution, ReportedNode, Reporter, WorkloadRef } from '../attribution/reporter.ts';
import { AlsDecoder } from '../codec/als-decoder.ts';
import { type Projection, projectionOf } from '../codec/projection.ts';
import { readIdentifier } from '../codec/read-identifier.ts';
import type { WritableFields } from '../entry/access-log-fields.ts';
import type { CompiledRules } from '../filter/compiled-rules.ts';
import type { LogRing, RingWriter } from '../ring/log-ring.ts';
import type { Audience } from '../tail/audience.ts';
import { WireError } from '../wire/wire-error.ts';
import type { Allowance } from './allowance.ts';
import type { Counts } from './sink-counts.ts';

/** State that the streams of a sink share. */
export interface StreamHost {
  readonly attribution: Attribution;
  readonly counts: Counts;
  readonly audience: Audience;
  readonly ring: LogRing;
  readonly rulesFor: (reporter: Reporter) => CompiledRules;
  /** Monotonic milliseconds. */
  readonly now: () => number;
}

/** Identity that the sender reports in the first message of a stream. */
interface Claim {
  readonly node: ReportedNode;
  readonly logName: string;
}

/** Destinations of a stream's entries, as long as its reporter, rules and readers stay the same. */
interface Course {
  readonly reporter: Reporter;
  readonly rules: CompiledRules;
  readonly writer: RingWriter;
  readonly audienceVersion: number;
  /** Fields to decode; undefined if no rule or reader needs any. */
  readonly check: Projection | undefined;
}

const decoder = new AlsDecoder();
const NO_READER: Claim = { node: { id: '', cluster: '' }, logName: '' };

/** Processes messages in their order; synchronous throughout. */
export class LogStream {
  readonly #host: StreamHost;
  readonly #address: string;
  readonly #allowance: Allowance;
  readonly #closed: () => void;
  #claimed: Claim = NO_READER;
  #course: Course | undefined;
  #open = true;

  /** @param address the source address, without the port */
  constructor(host: StreamHost, address: string, allowance: Allowance, closed: () => void) {
    this.#host = host;
    this.#address = address;
    this.#allowance = allowance;
    this.#closed = closed;
  }

  /** @throws WireError if the bytes are not a message; entries before the error are accepted */
  take(bytes: Buffer): void {
    const { counts, now } = this.#host;
    counts.messages++;
    this.#allowance.refill(now());
    let course: Course | undefined;
    try {
      decoder.scan(bytes, {
        identifier: (from, to) => {
          // Envoy sends it once. Otherwise a sender with another name in each message would get a page of memory for
          // each.
          if (this.#claimed !== NO_READER) return;
          this.#claimed = readIdentifier(bytes, from, to);
          this.#course = course = undefined;
        },
        entry: (kind, from, to) => {
          counts.received++;
          if (!this.#allowance.take()) counts.dropped.rate++;
          else {
            course ??= this.#setCourse();
            this.#entry(course, kind, bytes, from, to);
          }
        },
      });
    } catch (error) {
      if (error instanceof WireError) counts.brokenMessages++;
      throw error;
    }
  }

  /** Ends the stream. Further calls have no effect. */
  close(): void {
    if (!this.#open) return;
    this.#open = false;
    this.#closed();
  }

  #entry(
    { rules, reporter, writer, check }: Course,
    kind: 'http' | 'tcp',
    bytes: Buffer,
    from: number,
    to: number,
  ): void {
    const { counts, audience } = this.#host;
    let fields: WritableFields | undefined;
    if (check !== undefined) {
      fields = read(kind, bytes, from, to, check);
      if (fields === undefined) {
        counts.dropped.malformed++;
        return;
      }
      audience.observe(fields, reporter);
    }
    if (!(rules.always ?? (fields !== undefined && rules.keeps(fields)))) counts.filtered++;
    else if (!writer.add(kind, bytes, from, to)) counts.dropped.oversized++;
    else {
      counts.retained++;
      if (fields !== undefined && audience.hasTails)
        audience.report(fields, { reporter, rules, kind, bytes, from, to });
    }
  }

  /** Runs once per message: pods come and go, rules change, readers join. */
  #setCourse(): Course {
    const { attribution, audience, ring, rulesFor } = this.#host;
    const before = this.#course;
    const workload = attribution.workloadAt(this.#address);
    const reporter =
      before !== undefined && isSame(before.reporter.workload, workload)
        ? before.reporter
        : { address: this.#address, cluster: attribution.cluster, workload, ...this.#claimed };
    const rules = rulesFor(reporter);
    const sameRules = before !== undefined && before.reporter === reporter && before.rules === rules;
    const { version, needs } = audience;
    if (sameRules && before.audienceVersion === version) return before;
    const decides = rules.always === undefined ? rules.needs : [];
    const check =
      needs === undefined && decides.length === 0 ? undefined : projectionOf([...decides, ...(needs ?? [])]);
    const writer = sameRules ? before.writer : ring.writer(reporter, rules);
    this.#course = { reporter, rules, writer, audienceVersion: version, check };
    return this.#course;
  }
}

/** Returns undefined if the bytes are not an entry. */
function read(
  kind: 'http' | 'tcp',
  bytes: Buffer,
  from: number,
  to: number,
  check: Projection,
): WritableFields | undefined {
  try {
    return decoder.decode(bytes, kind, from, to, check);
  } catch (error) {
    if (error instanceof WireError) return undefined;
    throw error;
  }
}

function isSame(a: WorkloadRef | undefined, b: WorkloadRef | undefined): boolean {
  return a === b || (a?.name === b?.name && a?.namespace === b?.namespace && a?.cluster === b?.cluster);
}
