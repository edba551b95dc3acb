// Decodes parsed YAML or JSON into an object of a Meshrelay kind, or reports its problems.
import type * as z from 'zod/mini';
import type { MeshrelayObject } from '../meshrelay-object.ts';
import type { KindDefinition } from '../registry/kind-definition.ts';
import { kindOf, unknownKindMessage } from '../registry/lookup.ts';
import { isShapeIssue } from '../schema/shape-issue.ts';
import type { Report } from '../shared/status.ts';
import { showValue } from '../text/show-value.ts';
import { complaint } from './complaint.ts';
import { jsonProblem } from './plain-json.ts';
import { pruned } from './prune.ts';
import { reportsOf } from './report-values.ts';
import { type ShapeProblem, shapeProblem } from './shape-problem.ts';
import { type JsonFields, tidied } from './tidy.ts';

/** Maximum number of reported problems of one object. */
const MAX_PROBLEMS = 20;

/** How strict the decoder is. */
export interface DecodeOptions {
  /** `refuse` for user input; `prune` for objects that an API server of another version may have stored. */
  readonly unknownFields?: 'refuse' | 'prune';
}

/** An object and the reports on its values, or, without an object, the problems of its shape. */
export type Decoded =
  | { readonly object: MeshrelayObject; readonly reports: readonly Report[]; readonly problems?: undefined }
  | { readonly problems: readonly ShapeProblem[]; readonly object?: undefined; readonly reports?: undefined };

/**
 * Decodes `raw` as an object of the kind in its `apiVersion` and `kind`. Problems: not JSON, an unknown kind, an
 * unknown or missing field, a wrong JSON type. A value that breaks a rule is not a problem but a report; such an object
 * must not be translated. With `prune`, unknown fields are dropped, and so is a status that does not fit. Never throws.
 */
export function decodeObject(raw: unknown, { unknownFields = 'refuse' }: DecodeOptions = {}): Decoded {
  const unusable = jsonProblem(raw);
  if (unusable !== undefined) return { problems: [unusable] };
  const definition = definitionFor(raw);
  if ('problems' in definition) return definition;
  const prune = unknownFields === 'prune';
  const candidate = tidied(raw as JsonFields);
  const issues = issuesOf(definition, candidate);
  if (issues.length === 0) return { object: trusted(candidate), reports: [] };
  const shape = issues.filter(isShapeIssue);
  if (shape.length === 0) return { object: trusted(candidate), reports: reportsOf(trusted(candidate), issues) };
  if (prune) {
    const rest = pruned(candidate, shape);
    if (rest !== undefined) return decodeObject(rest);
  }
  return { problems: shape.flatMap(problemsOf).slice(0, MAX_PROBLEMS) };
}

/**
 * The value rules that `object` breaks: ranges, syntax, exactly-one-of, weights. Empty when it may be translated. A
 * malformed object that did not come from {@link decodeObject} gets a report too.
 */
export function validateObject(object: MeshrelayObject): readonly Report[] {
  const definition = kindOf(object.apiVersion, object.kind);
  return definition === undefined ? [] : reportsOf(object, issuesOf(definition, object));
}

function definitionFor(raw: unknown): KindDefinition | { readonly problems: readonly ShapeProblem[] } {
  if (typeof raw !== 'object' || raw === null || Array.isArray(raw)) {
    return { problems: [shapeProblem([], `must be an object, got ${showValue(raw)}`)] };
  }
  const { apiVersion, kind } = raw as { readonly apiVersion?: unknown; readonly kind?: unknown };
  if (typeof apiVersion !== 'string') return { problems: [notText('apiVersion', apiVersion)] };
  if (typeof kind !== 'string') return { problems: [notText('kind', kind)] };
  const definition = kindOf(apiVersion, kind);
  if (definition !== undefined) return definition;
  return { problems: [{ path: ['kind'], field: 'kind', message: unknownKindMessage(apiVersion, kind) }] };
}

function notText(field: string, value: unknown): ShapeProblem {
  const got = value === undefined ? 'is required and must be a string' : `must be a string, got ${showValue(value)}`;
  return shapeProblem([field], got);
}

function issuesOf(definition: KindDefinition, candidate: unknown): readonly z.core.$ZodIssue[] {
  return definition.schema.safeParse(candidate, { reportInput: true }).error?.issues ?? [];
}

/** The schema has validated the shape, so the object has the type. */
function trusted(candidate: JsonFields): MeshrelayObject {
  return candidate as unknown as MeshrelayObject;
}

function problemsOf(issue: z.core.$ZodIssue): ShapeProblem[] {
  const path = issue.path as (string | number)[];
  if (issue.code !== 'unrecognized_keys') return [shapeProblem(path, complaint(issue))];
  // The schema writes one line per unknown field.
  const complaints = issue.message.split('\n');
  return issue.keys.map((key, index) => shapeProblem([...path, key], complaints[index] ?? 'is not a known field'));
}
