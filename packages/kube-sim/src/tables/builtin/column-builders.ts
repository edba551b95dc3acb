/** Helpers to define the columns of built-in kinds. */
import type { Json, KubeObject } from '../../object.ts';
import { age } from '../age.ts';
import type { PrinterColumn } from '../column.ts';

/** Reads a cell. */
type Cell = (object: KubeObject, now: number) => Json;

/** A column that is always shown. */
export function column(name: string, cell: Cell, type: PrinterColumn['type'] = 'string'): PrinterColumn {
  return { name, type, format: '', description: `${name} of the object.`, priority: 0, cell };
}

/** A column of wide output only. */
export function wide(name: string, cell: Cell): PrinterColumn {
  return { ...column(name, cell), priority: 1 };
}

/** Age of the object. */
export const AGE: PrinterColumn = column('Age', (object, now) => age(object.metadata.creationTimestamp, now));

/** A text, or the placeholder for an empty value. */
export function orNone(text: string | undefined | null, none = '<none>'): string {
  return text === undefined || text === null || text === '' ? none : text;
}

/** Labels as `a=1,b=2`, or `<none>`. */
export function labelText(labels: Readonly<Record<string, string>> | undefined): string {
  return orNone(
    Object.entries(labels ?? {})
      .map(([key, value]) => `${key}=${value}`)
      .join(','),
  );
}
