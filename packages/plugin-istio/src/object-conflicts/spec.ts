/** Reading what users wrote: nothing of it can be relied on to be there, or to be what its schema says. */
import type { KubeObject } from '@meshrelay/api';
import type { NativeObject } from '@meshrelay/relay-core';

export type Fields = Readonly<Record<string, unknown>>;

export function specOf(object: KubeObject | NativeObject): Fields {
  return fieldsOf((object as { readonly spec?: unknown }).spec);
}

/** The value as an object; of anything else, an empty one. */
export function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};
}

/** The value as a list of objects. */
export function listOf(value: unknown): readonly Fields[] {
  return Array.isArray(value) ? value.map(fieldsOf) : [];
}

/** The texts in a list. */
export function textsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];
}

/** An object of texts, such as labels. */
export function labelsOf(value: unknown): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(fieldsOf(value)).filter(([, text]) => typeof text === 'string')) as Record<
    string,
    string
  >;
}

/** Labels of the pods that it selects; none where it is for all of a namespace, or a mesh. */
export function selectedLabels(spec: Fields): Readonly<Record<string, string>> {
  return labelsOf(fieldsOf(spec['selector'])['matchLabels']);
}

/** Whether it names what it is for, as those for Gateways and waypoints do, and so selects no pods. */
export function namesTargets(spec: Fields): boolean {
  return spec['targetRefs'] !== undefined || spec['targetRef'] !== undefined;
}

/** Which pods of ours theirs selects, too; undefined where none need be. */
export function sharedPods(
  managed: Readonly<Record<string, string>>,
  unmanaged: Readonly<Record<string, string>>,
): 'the same pods' | 'some of the same pods' | undefined {
  if (within(managed, unmanaged)) return 'the same pods';
  return within(unmanaged, managed) ? 'some of the same pods' : undefined;
}

/** Whether all pods that have the labels of `narrow` have those of `wide`. */
export function within(narrow: Readonly<Record<string, string>>, wide: Readonly<Record<string, string>>): boolean {
  return Object.entries(wide).every(([name, value]) => narrow[name] === value);
}

export function namespaceOf({ metadata }: KubeObject | NativeObject): string {
  return metadata.namespace ?? '';
}
