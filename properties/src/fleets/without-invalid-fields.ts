/** Random objects made valid: removes, piece by piece, what the rules of their own kind reject. */
import { decodeObject, type KubeObject } from '@meshrelay/api';

/** The object without the fields that break a rule; unchanged if that takes too long. */
export function withoutInvalidFields(object: KubeObject): KubeObject {
  let current = JSON.parse(JSON.stringify(object)) as KubeObject;
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const { problems, reports = [] } = decodeObject(current);
    const [wrong] = problems ?? reports;
    if (wrong === undefined) return current;
    const path = stepsOf(wrong.field ?? '');
    const gone = without(current, path) as KubeObject;
    // If the field is required, removes the object that requires it.
    current = decodeObject(gone).problems === undefined ? gone : (without(current, path.slice(0, -1)) as KubeObject);
  }
  return current;
}

const ATTEMPTS = 30;

/** Splits `spec.a[0].b` into its steps. */
function stepsOf(field: string): string[] {
  return field.split(/[.[\]]+/).filter((step) => step !== '');
}

function without(value: unknown, [step, ...rest]: readonly string[]): unknown {
  if (step === undefined || typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    const index = Number(step);
    return rest.length === 0 ? value.toSpliced(index, 1) : value.with(index, without(value[index], rest));
  }
  const { [step]: inner, ...others } = value as Record<string, unknown>;
  return rest.length === 0 || inner === undefined ? others : { ...others, [step]: without(inner, rest) };
}
