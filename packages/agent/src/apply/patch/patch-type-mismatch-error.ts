/** A patch does not fit what the user's object holds. */

/** The field cannot be what is wanted: its text is no YAML, or something else stands where an object or a list is expected. */
export class PatchTypeMismatchError extends Error {
  override readonly name = 'MisfitError';
}
