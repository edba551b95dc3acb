/**
 * A page of the documentation whose YAML blocks are files and whose console blocks are commands that read them.
 *
 * - `yaml`: a file that the sample fleet accepts. Its first line is `# NAME.yaml`, or `# NAME.yaml (with OTHER.yaml)`
 *   where it needs another file of the page.
 * - `yaml mistake`: the same, but the server reports something on it. A command of the page shows the report.
 * - `yaml fragment`: a part of an object, an object of Kubernetes or a mesh, or the configuration of a program.
 * - `console`: commands after `$ `, with their output on the sample fleet. `console demo`: recorded in the demo.
 * - `sh`: commands without their output.
 */

export interface PageFile {
  readonly name: string;
  readonly text: string;
  /** Whether the server reports something on it. */
  readonly mistake: boolean;
  /** The file of the same page that it needs. */
  readonly needs?: string;
}

export interface PageCommand {
  readonly line: string;
  readonly output: string;
}

/** Text that stays unchanged, or the commands of a console block. */
export type Stretch = string | readonly PageCommand[];

interface Block {
  readonly info: string;
  readonly text: string;
}

const FENCE = /^ *```(\S[^\n]*)\n([\s\S]*?)^ *```$/gm;
const CONSOLE = /(?<=^```console\n)[\s\S]*?(?=^```$)/gm;
const FIRST_LINE = /^# ([a-z0-9-]+\.yaml)(?: \(with ([a-z0-9-]+\.yaml)\))?\n/;
const LANGUAGES = ['yaml', 'yaml mistake', 'yaml fragment', 'console', 'console demo', 'sh', 'text', 'ts', 'json'];

function blocksOf(page: string): Block[] {
  return [...page.matchAll(FENCE)].map(([, info = '', text = '']) => ({ info, text }));
}

/** @throws Error for a block without a file name that is not a fragment */
export function filesOf(page: string): PageFile[] {
  return blocksOf(page).flatMap(({ info, text }): PageFile[] => {
    if (!LANGUAGES.includes(info))
      throw new Error(`a block is marked ${info}; mark it as one of ${LANGUAGES.join(', ')}`);
    if (info !== 'yaml' && info !== 'yaml mistake') return [];
    const [, name, needs] = FIRST_LINE.exec(text) ?? [];
    if (name === undefined)
      throw new Error(
        `a YAML block begins with ${JSON.stringify(text.split('\n')[0])}; begin it with # NAME.yaml, or mark it yaml fragment`,
      );
    return [
      {
        name,
        text,
        mistake: info === 'yaml mistake',
        ...(needs === undefined ? {} : { needs }),
      },
    ];
  });
}

/** Content of pages about other fleets: all YAML blocks, and the input of their `kubectl apply -f -` commands. */
export function yamlOf(page: string): string[] {
  const applied = page.matchAll(/^\$ kubectl apply -f - <<'([A-Z]+)'\n((?:> .*\n)+?)> \1$/gm);
  return [
    ...blocksOf(page).flatMap(({ info, text }) => (/^yaml\b/.test(info) ? [text] : [])),
    ...[...applied].map(([, , text = '']) => text.replace(/^> /gm, '')),
  ];
}

export function fragmentsOf(page: string): string[] {
  return blocksOf(page).flatMap(({ info, text }) => (info === 'yaml fragment' ? [text] : []));
}

export function stretchesOf(page: string): Stretch[] {
  const stretches: Stretch[] = [];
  let end = 0;
  for (const match of page.matchAll(CONSOLE)) {
    stretches.push(page.slice(end, match.index), commandsOf(match[0]));
    end = match.index + match[0].length;
  }
  return [...stretches, page.slice(end)];
}

export function pageOf(stretches: readonly Stretch[]): string {
  return stretches
    .map((stretch) => (typeof stretch === 'string' ? stretch : stretch.map(commandText).join('')))
    .join('');
}

/** Every meshctl call on the page, up to shell operators after the call. */
export function callsOf(page: string): string[] {
  return blocksOf(page)
    .filter(({ info }) => /^(?:sh|console)\b/.test(info))
    .flatMap(({ text }) => text.replaceAll('\\\n', ' ').split('\n'))
    .flatMap(
      (line) =>
        /^ *(?:\$ )?(?:[^#]*\| )?(?:npx )?(meshctl [^|>#&]*)/
          .exec(line)?.[1]
          ?.replace(/\$(?:FLEET|CLUSTERS)\b/g, '')
          .trim() ?? [],
    );
}

function commandsOf(block: string): PageCommand[] {
  return block.split(/^\$ /m).flatMap((text) => {
    if (text === '') return [];
    const end = text.indexOf('\n');
    return [{ line: text.slice(0, end), output: text.slice(end + 1) }];
  });
}

function commandText({ line, output }: PageCommand): string {
  return `$ ${line}\n${output}${output === '' || output.endsWith('\n') ? '' : '\n'}`;
}
