/** A document with console blocks: commands after `$ `, continued after `> `, and their output. */

export interface Command {
  readonly line: string;
  /** The documented output. */
  readonly prints: string;
}

/** A section of other text, or a block of commands. */
export type Stretch = string | readonly Command[];

const OPENING = '```console\n';
const CLOSING = '```';

export function readTutorial(text: string): Stretch[] {
  return text.split(OPENING).flatMap((part, index): Stretch[] => {
    if (index === 0) return [part];
    const end = part.indexOf(CLOSING);
    return [commandsOf(part.slice(0, end)), part.slice(end)];
  });
}

export function writeTutorial(stretches: readonly Stretch[]): string {
  return stretches
    .map((stretch) => (typeof stretch === 'string' ? stretch : `${OPENING}${stretch.map(commandText).join('')}`))
    .join('');
}

function commandsOf(block: string): Command[] {
  return block.split(/^\$ /m).flatMap((text) => {
    if (text === '') return [];
    const lines = text.split('\n');
    const after = lines.findIndex((line, index) => index > 0 && !line.startsWith('> '));
    const line = lines.slice(0, after).map((one, index) => (index === 0 ? one : one.slice(2)));
    return [{ line: line.join('\n'), prints: lines.slice(after).join('\n') }];
  });
}

function commandText({ line, prints }: Command): string {
  return `$ ${line.replaceAll('\n', '\n> ')}\n${prints}${prints === '' || prints.endsWith('\n') ? '' : '\n'}`;
}

/**
 * Differences between equivalent runs: ages, times, the widths of columns, and the order in which the demo's own
 * policies were accepted.
 */
export function withoutAccidents(text: string): string {
  return (
    text
      .replaceAll(/\b\d+(?:m\d+)?[smh]\b(?=\s*$)/gm, 'AGE')
      // A cluster's lag changes with every edit, and disappears again.
      .replaceAll(/(?<=\bCONNECTED\s+)\d+(?:\.\d+)?(?:ms|s)\b/g, 'LAG')
      .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME')
      // The order in which policies were accepted at once.
      .replaceAll(/(?<=\b(?:ACCEPTED|CONFLICT|DEGRADED|PENDING|INVALID|FAILED)\s+)\d+$/gm, 'ORDER')
      .replaceAll(/ {2,}/g, '  ')
      .trimEnd()
      .split('\n')
      .sort()
      .join('\n')
  );
}
