// Converts broken rules to reports on their object.
import type * as z from 'zod/mini';
import type { MeshrelayObject } from '../meshrelay-object.ts';
import { MAX_STATUS_REPORTS, type Report } from '../shared/status.ts';
import { formatFieldPath } from '../text/field-path.ts';
import { complaint } from './complaint.ts';

/** The code of every report on a value that breaks a rule of its field. */
export const INVALID_VALUE = 'INVALID_VALUE';

/** One report per issue, at most as many as a status lists; the content of a status is not checked. */
export function reportsOf(object: MeshrelayObject, issues: readonly z.core.$ZodIssue[]): readonly Report[] {
  const { name, namespace } = object.metadata;
  const subject = `${object.kind} ${namespace === undefined ? '' : `${namespace}/`}${name}`;
  return issues
    .filter(({ path }) => path[0] !== 'status')
    .slice(0, MAX_STATUS_REPORTS)
    .map((issue): Report => {
      const field = formatFieldPath(issue.path as (string | number)[]);
      return {
        code: INVALID_VALUE,
        severity: 'error',
        field,
        message: `${subject}: ${field} ${complaint(issue)}`,
      };
    });
}
