/** Reports as text: a summary in one line, and the message below, wrapped to the terminal. */
import type { Report } from '@meshrelay/api';

/** Maximum length of a line, in characters. */
const WIDTH = 100;

/** @param indent number of spaces by which the caller indents each line */
export function reportLines(reports: readonly Report[], indent = 0): readonly string[] {
  return reports.flatMap(({ severity, code, field, message }) => [
    `${severity} ${code}${field === undefined ? '' : ` at ${field}`}`,
    ...wrapped(message, WIDTH - indent - 2).map((line) => `  ${line}`),
  ]);
}

/** Splits a text at its spaces into lines of at most `width` characters; a longer word gets a line of its own. */
export function wrapped(text: string, width: number): readonly string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last === undefined || last.length + 1 + word.length > width) lines.push(word);
    else lines[lines.length - 1] = `${last} ${word}`;
  }
  return lines;
}
