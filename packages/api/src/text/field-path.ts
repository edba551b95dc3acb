// Paths into objects, in the form that users read and type.

/** The steps from an object's root to one of its fields: names of fields and indices of list items. */
export type FieldPath = readonly (string | number)[];

const PLAIN_NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;

/** `spec.destinations[0].labels["app.kubernetes.io/name"]`; empty for the root. */
export function formatFieldPath(path: FieldPath): string {
  let text = '';
  for (const step of path) {
    if (typeof step === 'number') text += `[${step}]`;
    else if (!PLAIN_NAME.test(step)) text += `[${JSON.stringify(step)}]`;
    else text += text === '' ? step : `.${step}`;
  }
  return text;
}
