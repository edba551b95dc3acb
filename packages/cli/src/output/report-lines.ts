/** Reports as text: what each is in one line, and its message below, as wide as a terminal. */
import type { Report } from '@meshrelay/api';

/** Columns of a terminal that lines are broken for. */
const WIDTH = 100;

/** @param depth how far the lines are to be indented afterwards */
export function reportLines(reports: readonly Report[], depth = 0): readonly string[] {
  return reports.flatMap(({ severity, code, field, message }) => [
    `${severity} ${code}${field === undefined ? '' : ` at ${field}`}`,
    ...broken(message, WIDTH - depth - 2).map((line) => `  ${line}`),
  ]);
}

/** The text in lines of at most so many characters, but for words that are longer. */
export function broken(text: string, width: number): readonly string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last === undefined || last.length + 1 + word.length > width) lines.push(word);
    else lines[lines.length - 1] = `${last} ${word}`;
  }
  return lines;
}
