// OutputLedger: the fence of an agent's writes, in its own cluster. Internal.
import type { z } from 'zod';
import type { ADMIN_API_VERSION } from '../group.ts';
import type { KubeObject } from '../kube/object.ts';
import { anyLength, mapOf } from '../schema/collection.ts';
import { object } from '../schema/object.ts';
import { count, name, text } from '../schema/scalar.ts';

/** Outputs of one kind the agent has applied. */
export interface AppliedOutputs {
  /** Group and version of the outputs. */
  readonly apiVersion: string;
  /** Kind of the outputs. */
  readonly kind: string;
  /** How many of them there are. */
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

const appliedOutputs: z.ZodType<AppliedOutputs> = object<AppliedOutputs>('AppliedOutputs', {
  required: { apiVersion: name, kind: name, count },
  optional: {},
});

/** Schema of {@link OutputLedgerSpec}. */
export const outputLedgerSpec: z.ZodType<OutputLedgerSpec> = object<OutputLedgerSpec>('OutputLedgerSpec', {
  required: { term: count },
  optional: { holder: text, inputVector: mapOf(text), applied: anyLength(appliedOutputs) },
});
