/** The error of an apply that would take fields from their owners. */
import { StatusError } from '../object.ts';
import { type FieldSet, fieldPaths } from './field-set.ts';
import type { Manager } from './managers.ts';

/** The fields that one owner would lose. */
export interface Conflict {
  readonly manager: Manager;
  readonly fields: FieldSet;
}

/** 409 Conflict that names each owner and each field, with the real server's text. */
export function conflictError(conflicts: readonly Conflict[]): StatusError {
  const all = conflicts
    .toSorted((left, right) => (left.manager.name < right.manager.name ? -1 : 1))
    .map(({ manager, fields }) => ({ who: showManager(manager), paths: [...fieldPaths(fields)] }));
  const causes = all.flatMap(({ who, paths }) =>
    paths.map((field) => ({ reason: 'FieldManagerConflict', message: `conflict with ${who}`, field })),
  );
  const message =
    causes.length === 1
      ? `Apply failed with 1 conflict: ${causes[0]?.message}: ${causes[0]?.field}`
      : `Apply failed with ${causes.length} conflicts: ${all.map(list).join('\n')}`;
  return new StatusError({ code: 409, reason: 'Conflict', message, details: { causes } });
}

function list({ who, paths }: { who: string; paths: string[] }): string {
  return [`conflicts with ${who}:`, ...paths.map((path) => `- ${path}`)].join('\n');
}

function showManager(manager: Manager): string {
  const subresource =
    manager.subresource === undefined ? '' : ` with subresource ${JSON.stringify(manager.subresource)}`;
  const version = manager.operation === 'Update' ? ` using ${manager.apiVersion}` : '';
  return JSON.stringify(manager.name) + subresource + version;
}
