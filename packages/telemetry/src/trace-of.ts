/** Traces that programs agree on without telling each other: made from the name of what they are about. */
import { hash } from 'node:crypto';
import type { TraceCarrier } from './tracer.ts';

/**
 * The carrier of the one trace about `subject`, such as an input's `cluster/term/seq`, which every program that handles it knows. The same subject
 * gives the same trace everywhere and always. Its first span is nobody's: what follows are siblings in one trace.
 */
export function traceOf(subject: string): TraceCarrier {
  const digest = hash('sha256', subject, 'hex');
  return { traceparent: `00-${digest.slice(0, 32)}-${digest.slice(32, 48)}-01` };
}
