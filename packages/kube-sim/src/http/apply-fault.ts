/** Applies planned faults to a request before it is answered, and to its answer. */
import type { ReadableCluster } from '../cluster.ts';
import { expired, failureOf } from '../errors/api-errors.ts';
import { emptyStore } from '../faults/empty-store.ts';
import type { Fault, RequestAttributes } from '../faults/fault.ts';
import type { FaultPlan } from '../faults/fault-plan.ts';
import { staleStore } from '../faults/stale-store.ts';

/** Result of the faults for a request. */
export interface FaultOutcome {
  /** `gone`: the connection must be closed. `unanswered`: nothing happens. */
  readonly outcome: 'answered' | 'gone' | 'unanswered';
  /** Action that replaces sending the whole answer. */
  readonly reply: 'whole' | 'lost' | 'cut';
  /** Nothing is stored, and the answer reports success. */
  readonly pretended: boolean;
  /** The store that reads see. */
  readonly reads: ReadableCluster;
}

export interface Struck {
  readonly plan: FaultPlan;
  readonly request: RequestAttributes;
  readonly query: URLSearchParams;
  /** The store without a fault. */
  readonly reads: ReadableCluster;
}

/**
 * Applies the planned faults to a request, one after the other.
 * @throws StatusError with the error that a fault defines
 */
export async function applyFault({ plan, request, query, reads }: Struck): Promise<FaultOutcome> {
  let outcome: FaultOutcome = { outcome: 'answered', reply: 'whole', pretended: false, reads };
  for (const { rule, lifted } of plan.strike(request)) {
    const { fault } = rule;
    if (fault.kind === 'reset') return { ...outcome, outcome: 'gone' };
    if (fault.kind === 'hang') return { ...outcome, outcome: 'unanswered' };
    if (fault.kind === 'error') throw failureOf(fault.code, messageOf(fault, request), fault.retryAfterSeconds);
    if (fault.kind === 'held') await lifted;
    if (fault.kind === 'delay') await delay(fault.milliseconds, reads);
    if (fault.kind === 'expired-continue' && query.has('continue')) throw expired(CONTINUE_EXPIRED);
    if (fault.kind === 'lost-reply') outcome = { ...outcome, reply: 'lost' };
    if (fault.kind === 'cut-reply') outcome = { ...outcome, reply: 'cut' };
    if (fault.kind === 'pretended') outcome = { ...outcome, pretended: true };
    if (fault.kind === 'empty-list' && request.verb === 'list')
      outcome = { ...outcome, reads: { ...reads, store: emptyStore(reads.store) } };
    if (fault.kind === 'stale')
      outcome = { ...outcome, reads: { ...reads, store: staleStore(reads.store, fault.revision ?? 0, lifted) } };
  }
  return outcome;
}

const CONTINUE_EXPIRED = 'The provided continue parameter is too old to display a consistent list result.';

function messageOf({ message, code }: Extract<Fault, { readonly kind: 'error' }>, request: RequestAttributes): string {
  if (message !== undefined) return message;
  const { verb, path, user } = request;
  return `a planned fault: ${code} for User ${JSON.stringify(user)}, verb ${verb}, path ${JSON.stringify(path)}`;
}

function delay(milliseconds: number, { clock }: ReadableCluster): Promise<void> {
  return new Promise((resolve) => void clock.schedule(milliseconds, resolve));
}
