/**
 * Shapes of unmanaged objects, as far as discovery reads them. Values that do not fit are removed on input, so that
 * code inside can rely on its types. One malformed field loses only that field.
 */

/** The type of a value; `any` keeps everything. */
export type Shape =
  | 'string'
  | 'number'
  | 'boolean'
  | 'number or string'
  | 'any'
  | { readonly list: Shape }
  | { readonly map: Shape }
  | RecordShape;

/** An object of which some fields are checked; the others stay unchanged. */
export interface RecordShape {
  readonly fields: Readonly<Record<string, Shape>>;
  /** Without one of these the object is dropped. */
  readonly required?: readonly string[];
  /** Optional, but if one does not fit, the whole object is dropped: without the field it would mean something else. */
  readonly essential?: readonly string[];
}

/** The value without what does not fit; undefined if nothing is left; the same value if all of it fits. */
export function fitted(value: unknown, shape: Shape): unknown {
  if (typeof shape === 'string') return isOf(value, shape) ? value : undefined;
  if ('list' in shape) return Array.isArray(value) ? fittedList(value, shape.list) : undefined;
  if (!isRecord(value)) return undefined;
  return 'map' in shape ? fittedMap(value, shape.map) : fittedRecord(value, shape);
}

function isOf(value: unknown, shape: Shape & string): boolean {
  switch (shape) {
    case 'any':
      return true;
    case 'number or string':
      return isOf(value, 'number') || isOf(value, 'string');
    case 'number':
      return typeof value === 'number' && Number.isFinite(value);
    default:
      return typeof value === shape;
  }
}

function fittedList(list: readonly unknown[], shape: Shape): readonly unknown[] {
  const items = list.map((item) => fitted(item, shape));
  return items.every((item, index) => item === list[index] && item !== undefined)
    ? list
    : items.filter((item) => item !== undefined);
}

function fittedMap(map: Readonly<Record<string, unknown>>, shape: Shape): Readonly<Record<string, unknown>> {
  const entries = Object.entries(map);
  const retained = entries.flatMap(([name, value]) => {
    const fits = fitted(value, shape);
    return fits === undefined ? [] : [[name, fits] as const];
  });
  return retained.length === entries.length && retained.every(([name, value]) => value === map[name])
    ? map
    : Object.fromEntries(retained);
}

function fittedRecord(
  record: Readonly<Record<string, unknown>>,
  { fields, required = [], essential = [] }: RecordShape,
): Readonly<Record<string, unknown>> | undefined {
  let copy: Record<string, unknown> | undefined;
  for (const [name, shape] of Object.entries(fields)) {
    if (!Object.hasOwn(record, name) || record[name] === undefined) continue;
    const value = fitted(record[name], shape);
    if (value === record[name]) continue;
    if (value === undefined && essential.includes(name)) return undefined;
    copy ??= { ...record };
    if (value === undefined) delete copy[name];
    else copy[name] = value;
  }
  const result = copy ?? record;
  return required.every((name) => result[name] !== undefined) ? result : undefined;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
