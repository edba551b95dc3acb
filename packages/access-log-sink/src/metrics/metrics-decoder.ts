/**
 * Decodes StreamMetricsMessage (Envoy v3) with families of io.prometheus.client; families that are not retained are
 * skipped.
 */
import type { Buffer } from 'node:buffer';
import { readTextPair } from '../wire/text-pair.ts';
import { WireReader } from '../wire/wire-reader.ts';
import type { HistogramSample, Labels, MetricFamily, NumberSample } from './metric-family.ts';

export interface MetricsVisitor {
  /** The node, in the first message of a stream; offsets as in `MessageVisitor`. */
  identifier(from: number, to: number): void;
  /** Whether to decode a family of this name. */
  requests(name: string): boolean;
  family(family: MetricFamily): void;
}

/** `io.prometheus.client.MetricType`. */
const KINDS = ['counter', 'gauge', undefined, undefined, 'histogram'] as const;

const r = new WireReader();

/** @throws WireError if the bytes are not such a message; families before the error have been visited */
export function decodeMetrics(bytes: Buffer, visitor: MetricsVisitor): void {
  r.open(bytes, 0, bytes.length);
  try {
    while (r.pos < r.end) {
      const tag = r.uint32();
      if (tag === 10) {
        const length = r.length();
        visitor.identifier(r.pos, r.pos + length);
        r.pos += length;
      } else if (tag === 18) {
        const family = readFamily(visitor);
        if (family !== undefined) visitor.family(family);
      } else r.skip(tag);
    }
  } finally {
    r.close();
  }
}

/**
 * The name may follow the metrics: their offsets are stored first, and they are decoded only if the family is retained.
 */
function readFamily(visitor: MetricsVisitor): MetricFamily | undefined {
  let name = '';
  let type = 0;
  const metrics: number[] = [];
  const outer = r.enter();
  const end = r.end;
  while (r.pos < r.end) {
    const tag = r.uint32();
    if (tag === 10) name = r.commonText();
    else if (tag === 24) type = r.uint32();
    else if (tag === 34) {
      const length = r.length();
      metrics.push(r.pos, r.pos + length);
      r.pos += length;
    } else r.skip(tag);
  }
  const kind = KINDS[type];
  const requested = kind !== undefined && visitor.requests(name);
  const family = requested ? familyOf(name, kind, metrics) : undefined;
  r.pos = end;
  r.leave(outer);
  return family;
}

function familyOf(name: string, kind: 'counter' | 'gauge' | 'histogram', metrics: readonly number[]): MetricFamily {
  const samples: (NumberSample & HistogramSample)[] = [];
  for (let at = 0; at < metrics.length; at += 2) {
    r.pos = metrics[at] as number;
    r.end = metrics[at + 1] as number;
    samples.push(readMetric());
  }
  return { name, kind, samples };
}

/** Metric: any kind of value. */
function readMetric(): NumberSample & HistogramSample {
  const labels: [string, string][] = [];
  let value = 0;
  let histogram: Omit<HistogramSample, 'labels'> = { count: 0, sum: 0, buckets: [] };
  while (r.pos < r.end) {
    const tag = r.uint32();
    if (tag === 10) labels.push(readTextPair(r));
    else if (tag === 18 || tag === 26 || tag === 42) value = readValue();
    else if (tag === 58) histogram = readHistogram();
    else r.skip(tag);
  }
  return { labels: labels satisfies Labels, value, ...histogram };
}

/** Gauge, Counter and Untyped have the same format. */
function readValue(): number {
  let value = 0;
  const outer = r.enter();
  while (r.pos < r.end) {
    const tag = r.uint32();
    if (tag === 9) value = r.double();
    else r.skip(tag);
  }
  r.leave(outer);
  return value;
}

function readHistogram(): Omit<HistogramSample, 'labels'> {
  let count = 0;
  let sum = 0;
  const buckets: [number, number][] = [];
  const outer = r.enter();
  while (r.pos < r.end) {
    const tag = r.uint32();
    if (tag === 8) count = r.uint64();
    else if (tag === 17) sum = r.double();
    else if (tag === 26) buckets.push(readBucket());
    else r.skip(tag);
  }
  r.leave(outer);
  return { count, sum, buckets };
}

function readBucket(): [number, number] {
  let count = 0;
  let bound = 0;
  const outer = r.enter();
  while (r.pos < r.end) {
    const tag = r.uint32();
    if (tag === 8) count = r.uint64();
    else if (tag === 17) bound = r.double();
    else r.skip(tag);
  }
  r.leave(outer);
  return [bound, count];
}
