// OutputLedger: the fence of an agent's writes, in its own cluster. Internal.
import type { ADMIN_API_VERSION } from '../group.ts';
import type { KubeObject } from '../kube/object.ts';

/** Outputs of one kind the agent has applied. */
export interface AppliedOutputs {
  readonly apiVersion: string;
  readonly kind: string;
  readonly count: number;
}

/** Which agent may write, and what it last wrote. */
export interface OutputLedgerSpec {
  /** Raised by compare-and-swap each time an agent takes the Lease; a write of a lower term is refused. */
  readonly term: number;
  /** Identity of the agent replica that raised the term. */
  readonly holder?: string;
  /** Input vector of the outputs last applied: per cluster name, `term/seq`. */
  readonly inputVector?: Readonly<Record<string, string>>;
  readonly applied?: readonly AppliedOutputs[];
}

/** The fence of an agent's writes. */
export interface OutputLedger extends KubeObject<OutputLedgerSpec, never> {
  readonly apiVersion: typeof ADMIN_API_VERSION;
  readonly kind: 'OutputLedger';
}
