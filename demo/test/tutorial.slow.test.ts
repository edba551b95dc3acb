/** docs/tutorial.md, command by command, on its own fleet. MESHRELAY_TUTORIAL=update writes the actual output. */
import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { assert, eventually, temporaryFolder, test } from '@meshrelay/testing';
import { startFleet } from './support/fleet.ts';
import { kubectlIsThere } from './support/kubectl.ts';
import { type Command, readTutorial, type Stretch, withoutAccidents, writeTutorial } from './support/tutorial.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const TUTORIAL = fileURLToPath(new URL('../../docs/tutorial.md', import.meta.url));
const UPDATE = process.env['MESHRELAY_TUTORIAL'] === 'update';
/** Milliseconds until a command's effects show, on a busy machine. */
const TIMEOUT_MS = { deadline: 180_000 };
/** Commands that change something, so they run once; all others may be repeated until their output is as documented. */
const CHANGES = /^kubectl .*\b(?:apply|patch|delete)\b/;

if (await kubectlIsThere()) {
  test('every command of the tutorial prints the documented output', tutorial);
} else {
  test('SKIPPED', () => console.log('SKIPPED kubectl not found'));
}

async function tutorial(): Promise<void> {
  using home = temporaryFolder();
  await using fleet = await startFleet();
  const folder = relative(ROOT, fleet.folder.path);
  const exports: string[] = [];
  const run = async (line: string): Promise<string> => {
    const script = [...exports, line].join('\n').replaceAll('.cache/demo/', `${folder}/`);
    const { stdout } = await promisify(execFile)('bash', ['-ec', script], {
      cwd: ROOT,
      env: { ...process.env, HOME: home.path },
    });
    return stdout;
  };
  const printed = async ({ line, prints }: Command): Promise<string> => {
    if (line.startsWith('export ')) exports.push(line);
    if (UPDATE) await settled();
    if (UPDATE || CHANGES.test(line)) return await run(line);
    let last = '';
    const fits = async (): Promise<boolean> => {
      last = await run(line);
      return withoutAccidents(last) === withoutAccidents(prints);
    };
    // The caller compares the different output, and its message shows both.
    await eventually(`what "${line}" prints`, fits, { ...TIMEOUT_MS, seen: () => last }).catch(() => undefined);
    return last;
  };
  const before = readTutorial(readFileSync(TUTORIAL, 'utf8'));
  const after: Stretch[] = [];
  for (const stretch of before) {
    if (typeof stretch === 'string') {
      after.push(stretch);
      continue;
    }
    const commands: Command[] = [];
    for (const command of stretch) {
      const prints = await printed(command);
      commands.push({ line: command.line, prints });
      if (!UPDATE) assert.is(withoutAccidents(prints), withoutAccidents(command.prints), command.line);
    }
    after.push(commands);
  }
  if (UPDATE) writeFileSync(TUTORIAL, writeTutorial(after));
}

/** Long enough for all effects, if there is no output to compare with yet. */
function settled(): Promise<void> {
  return new Promise((resume) => setTimeout(resume, 3000));
}

test.run();
