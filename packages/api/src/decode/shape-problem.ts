// One reason why a value is not an object of its kind.
import { type FieldPath, formatFieldPath } from '../text/field-path.ts';

/** Bad input: an unknown field, a missing one, a wrong JSON type, or an unknown kind. */
export interface ShapeProblem {
  /** The path of the field, to locate it in a file. */
  readonly path: FieldPath;
  /** The same as text, such as `spec.meshes[0].name`; empty for the object itself. */
  readonly field: string;
  /** Names the field, the expected and the actual value. */
  readonly message: string;
}

/** A problem with the field at `path`; `complaint` completes the sentence that begins with the field's name. */
export function shapeProblem(path: FieldPath, complaint: string): ShapeProblem {
  const field = formatFieldPath(path);
  return { path, field, message: `${field === '' ? 'the document' : field} ${complaint}` };
}
