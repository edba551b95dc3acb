// OutputLedger: the fence of an agent's writes, in its own cluster. Internal.
import type { z } from 'zod';
import type { ADMIN_API_VERSION } from '../group.ts';
import type { JsonObject } from '../kube/json.ts';
import type { KubeObject } from '../kube/object.ts';
import { anyLength, jsonObject, mapOf } from '../schema/collection.ts';
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

/** A field of one of the user's objects that was changed with consent, and what is to be put back. */
export interface PatchedField {
  /** Name of the patch, unique in the object's namespace. */
  readonly patch: string;
  /** Group and version of the object. */
  readonly apiVersion: string;
  /** Kind of the object. */
  readonly kind: string;
  /** Namespace of the object. */
  readonly namespace: string;
  /** Name of the object. */
  readonly name: string;
  /** Of the object that was changed: one of the same name that came later is another. */
  readonly uid: string;
  /** The field: names joined by dots, and names within its YAML after `:yaml/`. */
  readonly fieldPath: string;
  /** How many of the names in the path were there before; what lies deeper goes with the patch. */
  readonly depth: number;
  /** What was there before, as `value`; omitted: nothing was. */
  readonly prior?: JsonObject;
  /** What may have been written since, as `values`: anything else that is found there is the user's. */
  readonly wrote?: JsonObject;
  /** The members a list was given, where the patch is about members. */
  readonly added?: readonly string[];
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
  /** Fields of the user's objects that are patched now. */
  readonly patches?: readonly PatchedField[];
  /** A part of the outputs that were applied last, as gzip of JSON in base64; in the ledgers `agent-outputs-N` alone. */
  readonly outputs?: string;
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

const patchedField: z.ZodType<PatchedField> = object<PatchedField>('PatchedField', {
  required: {
    patch: text,
    apiVersion: name,
    kind: name,
    namespace: text,
    name,
    uid: text,
    fieldPath: text,
    depth: count,
  },
  optional: { prior: jsonObject, wrote: jsonObject, added: anyLength(text) },
});

/** Schema of {@link OutputLedgerSpec}. */
export const outputLedgerSpec: z.ZodType<OutputLedgerSpec> = object<OutputLedgerSpec>('OutputLedgerSpec', {
  required: { term: count },
  optional: {
    holder: text,
    inputVector: mapOf(text),
    applied: anyLength(appliedOutputs),
    patches: anyLength(patchedField),
    outputs: text,
  },
});
