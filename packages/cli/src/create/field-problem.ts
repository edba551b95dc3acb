/** Checks single values of a policy by the schema of its kind. */
import { decodeObject, NETWORKING_API_VERSION } from '@meshrelay/api';

/** The kinds that `meshctl create` writes. */
export type CreatedKind = 'VirtualMesh' | 'TrafficPolicy' | 'AccessPolicy' | 'VirtualDestination';

/**
 * What is wrong with a field of a spec, such as `must be a duration …, got "soon"`.
 * @param spec with all required fields: if one is missing, values are not checked
 */
export function fieldProblem(kind: CreatedKind, spec: object, field: string): string | undefined {
  const metadata = { name: 'new', namespace: 'new' };
  const { problems = [], reports = [] } = decodeObject({ apiVersion: NETWORKING_API_VERSION, kind, metadata, spec });
  const found = [...problems, ...reports].find(({ field: at = '' }) => at.startsWith(field));
  if (found === undefined) return undefined;
  const name = `${found.field} `;
  return found.message.slice(found.message.indexOf(name) + name.length);
}
