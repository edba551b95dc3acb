/** Istio's own control plane as a program that answers questions: `go/istiod`. */
import { spawnSync } from 'node:child_process';
import { assert } from '@meshrelay/testing';
import { goProgram } from '@meshrelay/testing/go';
import { goFolder } from '../go-folder.ts';

/** What it may answer in all, in bytes. */
const LONGEST = 2 ** 29;

/** Built when first asked for, which takes minutes; then found. */
const program = await goProgram(goFolder('istiod'), { tell: (line) => console.log(line) });

/** The answers to questions of one sort, in their order. */
export function askIstiod(sort: 'validate' | 'proxies', questions: readonly unknown[]): unknown[] {
  if (questions.length === 0) return [];
  const input = questions.map((question) => `${JSON.stringify(question)}\n`).join('');
  const { status, stdout, stderr } = spawnSync(program, [sort], { input, encoding: 'utf8', maxBuffer: LONGEST });
  assert.is(status, 0, stderr);
  const answers = stdout.trimEnd().split('\n');
  assert.is(answers.length, questions.length);
  return answers.map((answer) => JSON.parse(answer) as unknown);
}
