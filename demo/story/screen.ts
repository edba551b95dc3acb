/**
 * Output of the demo: steps as they happen, then tables. Everything except the JSON summary goes to the screen's
 * stream.
 */
import type { Writable } from 'node:stream';
import { styleText } from 'node:util';

export interface Screen {
  title(text: string): void;
  /** A step with the seconds since the start. */
  step(text: string): void;
  /** A part of a step. */
  detail(text: string): void;
  /** Text to copy. */
  command(text: string): void;
  table(header: readonly string[], rows: ReadonlyArray<readonly string[]>): void;
}

/** Uses colours if the stream is a terminal. `seconds` returns the time since the start. */
export function createScreen(stream: Writable, seconds: () => number): Screen {
  const line = (text = ''): void => {
    stream.write(`${text}\n`);
  };
  const style = (format: 'bold' | 'dim' | 'green', text: string): string => styleText(format, text, { stream });
  return {
    title: (text) => line(`\n${style('bold', text)}`),
    step: (text) => line(`${style('dim', `${seconds().toFixed(1).padStart(5)}s`)}  ${style('green', '✓')} ${text}`),
    detail: (text) => line(`          ${style('dim', text)}`),
    command: (text) => line(`  ${text}`),
    table: (header, rows) => {
      const widths = header.map((cell, column) =>
        Math.max(cell.length, ...rows.map((row) => row[column]?.length ?? 0)),
      );
      const text = (row: readonly string[]): string =>
        row
          .map((cell, column) => cell.padEnd(widths[column] ?? 0))
          .join('   ')
          .trimEnd();
      line(`  ${style('dim', text(header))}`);
      for (const row of rows) line(`  ${text(row)}`);
    },
  };
}
