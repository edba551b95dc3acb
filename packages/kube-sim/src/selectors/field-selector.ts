/** Field selectors: `metadata.name=a,status.phase!=Running`, over the few fields of each kind. */
import { badRequest } from '../errors/api-errors.ts';
import type { KubeObject } from '../object.ts';
import type { ServedResource, VersionDefinition } from '../resources/definition.ts';
import { fieldAt } from './field-at.ts';

/** A compiled field selector. */
export interface FieldMatcher {
  matches(object: KubeObject): boolean;
  /** The name that every match must have, if the selector fixes one: a list then becomes a lookup. */
  readonly name: string | undefined;
}

const ALWAYS = ['metadata.name', 'metadata.namespace'];

/**
 * Compiles a field selector; an empty one matches everything.
 * @throws StatusError 400 when it does not parse or names an unsupported field
 */
export function parseFieldSelector(text: string, resource: ServedResource): FieldMatcher {
  const terms = text
    .split(',')
    .filter((each) => each !== '')
    .map(parseTerm);
  for (const { field } of terms) {
    if (!ALWAYS.includes(field) && !resource.version.selectableFields.includes(field))
      throw badRequest(unsupported(field, resource.version, resource.definition.custom));
  }
  return {
    matches: (object) => terms.every(({ field, equal, value }) => (readField(object, field) === value) === equal),
    name: terms.find((each) => each.field === 'metadata.name' && each.equal)?.value,
  };
}

/** The error for kinds with only name and namespace lists the supported fields. */
function unsupported(field: string, { selectableFields }: VersionDefinition, custom: boolean): string {
  if (custom || selectableFields.length > 0) return `field label not supported: ${field}`;
  return `${JSON.stringify(field)} is not a known field selector: only "metadata.name", "metadata.namespace"`;
}

function parseTerm(term: string): { readonly field: string; readonly equal: boolean; readonly value: string } {
  const match = /^([^=!]+)(==|=|!=)(.*)$/.exec(term);
  if (match === null) throw badRequest(`invalid selector: '${term}'; can't understand '${term}'`);
  return { field: match[1] ?? '', equal: match[2] !== '!=', value: match[3] ?? '' };
}

/** A missing field matches as the empty string. */
function readField(object: KubeObject, field: string): string {
  const value = fieldAt(object, field);
  return value === undefined || value === null ? '' : String(value);
}
