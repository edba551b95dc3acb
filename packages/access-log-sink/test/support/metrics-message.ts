/** Encodes metric families as the message that Envoy would send. */
import type { Buffer } from 'node:buffer';
import type { HistogramSample, MetricFamily, NumberSample } from '../../src/metrics/metric-family.ts';
import * as w from './wire-writer.ts';

const TYPES = { counter: 0, gauge: 1, histogram: 4 } as const;

export function metricsMessage(families: readonly MetricFamily[]): Buffer {
  return w.join(...families.map((family) => w.message(2, ...familyFields(family))));
}

/** The summary that Envoy also sends for each histogram: without bounds, so the sink cannot use it. */
export function summary(name: string): Buffer {
  return w.message(2, w.text(1, name), w.number(3, 2), w.message(4, w.message(4, w.number(1, 3))));
}

function familyFields({ name, kind, samples }: MetricFamily): Buffer[] {
  const value = (sample: NumberSample | HistogramSample): Buffer => {
    if (kind === 'histogram') return histogram(sample as HistogramSample);
    return w.message(kind === 'counter' ? 3 : 2, w.double(1, (sample as NumberSample).value));
  };
  return [
    w.text(1, name),
    w.number(3, TYPES[kind]),
    ...samples.map((sample) =>
      w.message(
        4,
        ...sample.labels.map(([label, text]) => w.message(1, w.text(1, label), w.text(2, text))),
        value(sample),
      ),
    ),
  ];
}

function histogram({ count, sum, buckets }: HistogramSample): Buffer {
  const all = buckets.map(([bound, upTo]) => w.message(3, w.number(1, upTo), w.double(2, bound)));
  return w.message(7, w.number(1, count), w.double(2, sum), ...all);
}
