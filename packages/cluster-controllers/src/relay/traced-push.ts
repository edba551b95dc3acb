/** Traces a push stream: a span for each delta, from its sending to the server's response. */
import {
  inputName,
  observed,
  type PushRequest,
  type PushResponse,
  type StreamMachine,
} from '@meshrelay/relay-protocol';
import { type Tracer, traceOf } from '@meshrelay/telemetry';

export interface PushTracing {
  readonly cluster: string;
  readonly term: number;
  readonly tracer: Tracer;
}

/** The trace of a delta is that of its input, whose name all participants derive alike. */
export function tracedPush(
  machine: StreamMachine<PushResponse, PushRequest>,
  { cluster, term, tracer }: PushTracing,
): StreamMachine<PushResponse, PushRequest> {
  const waiting = new Map<number, PromiseWithResolvers<void>>();
  return observed(machine, {
    receiving(message) {
      if (message.type !== 'ack' || message.result === 'held') return;
      waiting.get(message.number)?.resolve();
      waiting.delete(message.number);
    },
    sending(message) {
      if (message.type !== 'delta') return;
      const { number, kind, upserts, deletes } = message;
      const input = inputName(cluster, { term, seq: number });
      const answer = Promise.withResolvers<void>();
      waiting.set(number, answer);
      const attributes = { input, kind: kind.kind, upserts: upserts.length, deletes: deletes.length };
      // A stream that ends without a response fails only the span.
      tracer.span('push.delta', { attributes, parent: traceOf(input) }, () => answer.promise).catch(() => undefined);
    },
    ending(reason) {
      for (const { reject } of waiting.values()) reject(reason ?? new Error('the stream ended before the answer'));
      waiting.clear();
    },
  });
}
