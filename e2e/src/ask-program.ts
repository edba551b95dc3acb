/** Programs that answer questions, one line of JSON each: `go/istiod`, `go/osm`. */
import { spawnSync } from 'node:child_process';
import process from 'node:process';
import { assert } from '@meshrelay/testing';
import { goProgram } from '@meshrelay/testing/go';
import { askOnce } from './ask-once.ts';
import { goFolder } from './go-folder.ts';

/** Maximum size of all answers, in bytes. */
const LONGEST = 2 ** 29;
/** Most objects live for one question: collecting them less often saves a tenth of the CPU time. */
const GARBAGE = { GOGC: '400' };

/** Runs such a program with these arguments; returns its unparsed answers in the order of the questions. */
export type AskProgram = (args: readonly string[], questions: readonly unknown[]) => string[];

/** Built on first use, which takes minutes; then reused. @param folder of `e2e/go` */
export async function requestedProgram(folder: string): Promise<AskProgram> {
  const program = await goProgram(goFolder(folder), { print: (line) => console.log(line) });
  const answersOf = (args: readonly string[], lines: readonly string[]): string[] => {
    const input = lines.map((line) => `${line}\n`).join('');
    const { status, stdout, stderr } = spawnSync(program, args, {
      input,
      encoding: 'utf8',
      maxBuffer: LONGEST,
      env: { ...GARBAGE, ...process.env },
    });
    assert.is(status, 0, stderr);
    const answers = stdout.trimEnd().split('\n');
    assert.is(answers.length, lines.length);
    return answers;
  };
  return (args, questions) => {
    if (questions.length === 0) return [];
    const lines = questions.map((question) => JSON.stringify(question));
    return askOnce(lines, (different) => answersOf(args, different));
  };
}
