/**
 * Reads unmanaged objects. API servers check the kinds they know, but a plugin also reads kinds without schemas, and
 * one malformed object must not break anything. A value that is missing or of a wrong type reads as absent.
 */
import type { Container, PodSpec } from './kubernetes.ts';

/** The text, if it is a non-empty string. */
export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** The member of this name, if the value is an object. */
export function fieldOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Readonly<Record<string, unknown>>)[name]
    : undefined;
}

/** The labels or annotations whose values are strings. */
export function labelsOf(value: unknown): Readonly<Record<string, string>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return {};
  const entries = Object.entries(value as Readonly<Record<string, unknown>>);
  if (entries.every(([, one]) => typeof one === 'string')) return value as Readonly<Record<string, string>>;
  return Object.fromEntries(entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string'));
}

/** The containers of a pod that have names, without malformed images and variables. */
export function containersOf(
  spec: PodSpec | undefined,
  which: 'containers' | 'initContainers' = 'containers',
): readonly Container[] {
  return objectsOf(fieldOf(spec, which)).flatMap((container): Container[] => {
    const name = textOf(container['name']);
    const image = textOf(container['image']);
    if (name === undefined) return [];
    return [{ name, ...(image === undefined ? {} : { image }), env: objectsOf(container['env']).flatMap(variableOf) }];
  });
}

function variableOf(
  variable: Readonly<Record<string, unknown>>,
): Array<{ readonly name: string; readonly value?: string }> {
  const [name, value] = [textOf(variable['name']), textOf(variable['value'])];
  return name === undefined ? [] : [{ name, ...(value === undefined ? {} : { value }) }];
}

/** The members of a list that are objects. */
function objectsOf(value: unknown): ReadonlyArray<Readonly<Record<string, unknown>>> {
  return Array.isArray(value) ? value.filter((one) => typeof one === 'object' && one !== null) : [];
}
