// OutputLedger: fences the writes of an agent, in its own cluster. Internal.
import type * as z from 'zod/mini';
import type { ADMIN_API_VERSION } from '../group.ts';
import type { JsonObject } from '../kube/json.ts';
import type { KubeObject } from '../kube/object.ts';
import { anyLength, jsonObject, mapOf } from '../schema/collection.ts';
import { object } from '../schema/object.ts';
import { count, name, text } from '../schema/scalar.ts';

/** Number of outputs of one kind that the agent has applied. */
export interface AppliedOutputs {
  /** Group and version of the outputs. */
  readonly apiVersion: string;
  /** Kind of the outputs. */
  readonly kind: string;
  /** Number of outputs. */
  readonly count: number;
}

/** A field of a user's object that was changed with consent, and the value to restore. */
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
  /** UID of the changed object; a later object of the same name is not patched. */
  readonly uid: string;
  /** The field path: names separated by dots, and names within its YAML after `:yaml/`. */
  readonly fieldPath: string;
  /** How many names of the path existed before; deeper ones are removed with the patch. */
  readonly depth: number;
  /** The previous value, as `value`; omitted if the field did not exist. */
  readonly previousValue?: JsonObject;
  /** Values that may have been written since, as `values`; any other value belongs to the user. */
  readonly appliedValues?: JsonObject;
  /** The members added to a list, if the patch adds members. */
  readonly added?: readonly string[];
}

/** Which agent may write, and the last state it wrote. */
export interface OutputLedgerSpec {
  /** Incremented by compare-and-swap each time an agent acquires the Lease; writes of a lower term are rejected. */
  readonly term: number;
  /** Identity of the agent replica that raised the term. */
  readonly holder?: string;
  /** Input vector of the outputs applied last: per cluster name, `term/seq`. */
  readonly inputVector?: Readonly<Record<string, string>>;
  readonly applied?: readonly AppliedOutputs[];
  /** Fields of the user's objects that are currently patched. */
  readonly patches?: readonly PatchedField[];
  /** A part of the outputs applied last, as gzip of JSON in base64; only in the ledgers `agent-outputs-N`. */
  readonly outputs?: string;
}

/** Fences the writes of an agent. */
export interface OutputLedger extends KubeObject<OutputLedgerSpec, never> {
  readonly apiVersion: typeof ADMIN_API_VERSION;
  readonly kind: 'OutputLedger';
}

const appliedOutputs: z.ZodMiniType<AppliedOutputs> = object<AppliedOutputs>('AppliedOutputs', {
  required: { apiVersion: name, kind: name, count },
  optional: {},
});

const patchedField: z.ZodMiniType<PatchedField> = object<PatchedField>('PatchedField', {
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
  optional: { previousValue: jsonObject, appliedValues: jsonObject, added: anyLength(text) },
});

/** Schema of {@link OutputLedgerSpec}. */
export const outputLedgerSpec: z.ZodMiniType<OutputLedgerSpec> = object<OutputLedgerSpec>('OutputLedgerSpec', {
  required: { term: count },
  optional: {
    holder: text,
    inputVector: mapOf(text),
    applied: anyLength(appliedOutputs),
    patches: anyLength(patchedField),
    outputs: text,
  },
});
