/** Counters of applied outputs. */
import type { Metrics } from '@meshrelay/telemetry';

export interface ApplyCounters {
  written(kind: string, result: 'applied' | 'deleted'): void;
  refused(kind: string, code: string): void;
  repaired(kind: string): void;
}

export function applyCounters(metrics: Metrics): ApplyCounters {
  const written = metrics.counter({
    name: 'outputs_written_total',
    help: 'Objects applied or deleted because the server asked for it.',
    labels: ['kind', 'result'],
  });
  const refused = metrics.counter({
    name: 'outputs_refused_total',
    help: 'Outputs that were not applied, by the reason told to the server.',
    labels: ['kind', 'code'],
  });
  const repaired = metrics.counter({
    name: 'outputs_repaired_total',
    help: 'Objects of ours that somebody changed or deleted and that were put right.',
    labels: ['kind'],
  });
  return {
    written: (kind, result) => written.inc({ kind, result }),
    refused: (kind, code) => refused.inc({ kind, code }),
    repaired: (kind) => repaired.inc({ kind }),
  };
}
