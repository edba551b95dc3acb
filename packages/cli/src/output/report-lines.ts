/** Reports as text: a summary in one line, and the message below, wrapped to the terminal. */
import type { Report } from '@meshrelay/api';

/** Columns of a terminal at which lines are wrapped. */
const WIDTH = 100;

/** @param depth levels of indentation that the caller adds */
export function reportLines(reports: readonly Report[], depth = 0): readonly string[] {
  return reports.flatMap(({ severity, code, field, message }) => [
    `${severity} ${code}${field === undefined ? '' : ` at ${field}`}`,
    ...broken(message, WIDTH - depth - 2).map((line) => `  ${line}`),
  ]);
}

/** The text in lines of at most `width` characters, except for longer words. */
export function broken(text: string, width: number): readonly string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last === undefined || last.length + 1 + word.length > width) lines.push(word);
    else lines[lines.length - 1] = `${last} ${word}`;
  }
  return lines;
}
