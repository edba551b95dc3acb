// Distinguishes two classes of invalid values: a wrong shape is bad input, a broken rule is reported on the object.

/** The required part of a zod issue; raw and finished issues both fit. */
export interface Issue {
  readonly code?: string | undefined;
  readonly input?: unknown;
  readonly values?: readonly unknown[];
}

/** True for an unknown field, a missing field and a wrong JSON type; false for a rule about values. */
export function isShapeIssue(issue: Issue): boolean {
  switch (issue.code) {
    case 'invalid_type':
    case 'unrecognized_keys':
    case 'invalid_key':
    case 'invalid_element':
    case 'invalid_union':
      return true;
    case 'invalid_value':
      return typeof issue.input !== typeof issue.values?.[0];
    default:
      return false;
  }
}
