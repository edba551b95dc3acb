/** Traces the applying of outputs: a span for each batch, in the trace of the input that caused it. */
import { movedInputs, type OutputApplier } from '@meshrelay/relay-protocol';
import { type Logger, type Tracer, traceOf } from '@meshrelay/telemetry';

/** Maximum number of inputs that one span names; after a long absence there may be very many. */
const MAX_NAMED = 16;

export interface ApplyTracing {
  readonly tracer: Tracer;
  readonly logger: Logger;
}

export function tracedApplier(applier: OutputApplier, { tracer, logger }: ApplyTracing): OutputApplier {
  return {
    apply: (batch) => {
      const { upserts, deletes, vector, since } = batch;
      const inputs = movedInputs(vector, since, MAX_NAMED);
      const [first, ...others] = byOrigin(inputs).map(traceOf);
      const attributes = { inputs: inputs.join(' '), upserts: upserts.length, deletes: deletes.length };
      logger.debug('outputs arrived', attributes);
      const options = { attributes, links: others, ...(first === undefined ? {} : { parent: first }) };
      return tracer.span('apply.outputs', options, async (span) => {
        const refused = await applier.apply(batch);
        span.set({ refused: refused?.length ?? 0 });
        return refused;
      });
    },
    ended: (reason) => applier.ended?.(reason),
  };
}

/**
 * Sorts inputs of clusters before those of the management cluster, whose names begin with a slash. The latter often
 * change only because the server writes results of the former, such as statuses and decisions.
 */
function byOrigin(inputs: readonly string[]): readonly string[] {
  const isManagement = (input: string): boolean => input.startsWith('/');
  return [...inputs.filter((input) => !isManagement(input)), ...inputs.filter(isManagement)];
}
