/** A column of a table reply. */
import type { Json, KubeObject } from '../object.ts';

/** One column: its header, and a function that reads its cell from an object. */
export interface PrinterColumn {
  readonly name: string;
  readonly type: 'string' | 'integer' | 'number' | 'boolean' | 'date';
  readonly format: string;
  readonly description: string;
  /** 0 is always shown, above that only in wide output. */
  readonly priority: number;
  /** The cell; `now` in milliseconds is for ages. Null prints as `<none>` or empty. */
  cell(object: KubeObject, now: number): Json;
}
