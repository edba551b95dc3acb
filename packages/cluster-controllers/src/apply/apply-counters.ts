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
    help: 'Number of objects applied or deleted for the server.',
    labels: ['kind', 'result'],
  });
  const refused = metrics.counter({
    name: 'outputs_rejected_total',
    help: 'Number of outputs that were not applied, by the reason reported to the server.',
    labels: ['kind', 'code'],
  });
  const repaired = metrics.counter({
    name: 'outputs_repaired_total',
    help: 'Number of generated objects repaired after another client changed or deleted them.',
    labels: ['kind'],
  });
  return {
    written: (kind, result) => written.inc({ kind, result }),
    refused: (kind, code) => refused.inc({ kind, code }),
    repaired: (kind) => repaired.inc({ kind }),
  };
}
