/** Trace ids that programs derive from the name of the subject, without exchanging them. */
import { hash } from 'node:crypto';
import type { TraceCarrier } from './tracer.ts';

/**
 * The carrier of the one trace of `subject`, such as an input's `cluster/term/seq`, which every program that handles it
 * knows. The same subject always gives the same trace. Its root span is never recorded: all spans are siblings in one
 * trace.
 */
export function traceOf(subject: string): TraceCarrier {
  const digest = hash('sha256', subject, 'hex');
  return { traceparent: `00-${digest.slice(0, 32)}-${digest.slice(32, 48)}-01` };
}
