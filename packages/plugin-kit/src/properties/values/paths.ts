/** Values within a view, by their paths. */

/** The names of fields from the view to a value; positions in lists as text. */
export type Path = readonly string[];

export function valueAt(value: unknown, path: Path): unknown {
  return path.reduce((owner, name) => (owner as Readonly<Record<string, unknown>>)[name], value);
}

/** A copy of the value with another one at the path. */
export function replaced(value: unknown, [name, ...rest]: Path, other: unknown): unknown {
  if (name === undefined) return other;
  const member = replaced((value as Readonly<Record<string, unknown>>)[name], rest, other);
  if (Array.isArray(value)) return value.map((one: unknown, index) => (String(index) === name ? member : one));
  return { ...(value as object), [name]: member };
}

/** The paths of all values that have no members. */
export function* leavesOf(value: unknown, path: Path = []): Generator<Path> {
  if (typeof value !== 'object' || value === null) yield path;
  else for (const [name, member] of Object.entries(value)) yield* leavesOf(member, [...path, name]);
}

/** The paths of all objects, the outer ones first. */
export function* objectsIn(value: unknown, path: Path = []): Generator<Path> {
  if (typeof value !== 'object' || value === null) return;
  if (!Array.isArray(value)) yield path;
  for (const [name, member] of Object.entries(value)) yield* objectsIn(member, [...path, name]);
}

/** Whether the path without positions in lists ends with these names. */
export function endsWith(path: Path, end: Path): boolean {
  const names = path.filter((name) => !/^\d+$/.test(name));
  return end.length <= names.length && end.every((name, index) => names[names.length - end.length + index] === name);
}
