/** What the demo prints: steps as they happen, then tables. Everything but the JSON summary goes to the screen's stream. */
import { styleText } from 'node:util';

export interface Screen {
  title(text: string): void;
  /** A step with the seconds since the start. */
  step(text: string): void;
  detail(text: string): void;
  table(header: readonly string[], rows: ReadonlyArray<readonly string[]>): void;
}

export function createScreen(write: (text: string) => void, started: number): Screen {
  const line = (text = ''): void => write(`${text}\n`);
  return {
    title: (text) => line(`\n${styleText('bold', text)}`),
    step: (text) =>
      line(
        `${styleText('dim', `${((performance.now() - started) / 1000).toFixed(1).padStart(5)}s`)}  ${styleText('green', '✓')} ${text}`,
      ),
    detail: (text) => line(`          ${styleText('dim', text)}`),
    table: (header, rows) => {
      const widths = header.map((cell, column) =>
        Math.max(cell.length, ...rows.map((row) => row[column]?.length ?? 0)),
      );
      const text = (row: readonly string[]): string =>
        row
          .map((cell, column) => cell.padEnd(widths[column] ?? 0))
          .join('   ')
          .trimEnd();
      line(`  ${styleText('dim', text(header))}`);
      for (const row of rows) line(`  ${text(row)}`);
    },
  };
}
