/** Reads users' specs defensively: any field may be missing or violate its schema. */
import type { KubeObject, NativeObject } from '@meshrelay/plugin';

export type Fields = Readonly<Record<string, unknown>>;

export function specOf(object: KubeObject | NativeObject): Fields {
  return fieldsOf((object as { readonly spec?: unknown }).spec);
}

/** The value if it is an object, else an empty object. */
export function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};
}

/** The value as a list of objects. */
export function listOf(value: unknown): readonly Fields[] {
  return Array.isArray(value) ? value.map(fieldsOf) : [];
}

/** The strings in a list. */
export function textsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];
}

/** An object of strings, such as labels. */
export function labelsOf(value: unknown): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(fieldsOf(value)).filter(([, text]) => typeof text === 'string')) as Record<
    string,
    string
  >;
}

/** Labels of the pods that the spec selects; empty if it applies to a whole namespace or mesh. */
export function selectedLabels(spec: Fields): Readonly<Record<string, string>> {
  return labelsOf(fieldsOf(spec['selector'])['matchLabels']);
}

/** Whether the spec has target references, as those for Gateways and waypoints have, and so selects no pods. */
export function namesTargets(spec: Fields): boolean {
  return spec['targetRefs'] !== undefined || spec['targetRef'] !== undefined;
}

/** The pods that both the generated and the user's selector may select; undefined if the selectors can be disjoint. */
export function sharedPods(
  managed: Readonly<Record<string, string>>,
  unmanaged: Readonly<Record<string, string>>,
): 'the same pods' | 'some of the same pods' | undefined {
  if (within(managed, unmanaged)) return 'the same pods';
  return within(unmanaged, managed) ? 'some of the same pods' : undefined;
}

/** Whether all pods with the labels of `narrow` have those of `wide`. */
export function within(narrow: Readonly<Record<string, string>>, wide: Readonly<Record<string, string>>): boolean {
  return Object.entries(wide).every(([name, value]) => narrow[name] === value);
}

export function namespaceOf({ metadata }: KubeObject | NativeObject): string {
  return metadata.namespace ?? '';
}
