/** A patch does not fit the content of the user's object. */

/**
 * The field cannot take the desired value: its text is not YAML, or an object or list is expected and the field has
 * another type.
 */
export class PatchTypeMismatchError extends Error {
  override readonly name = 'MisfitError';
}
