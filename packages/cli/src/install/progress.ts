/** Lines about the steps of an installation. */
import process from 'node:process';
import { plain } from '../output/plain.ts';
import { InputError } from '../problem.ts';
import type { Finding } from './preflight.ts';

export interface Progress {
  /** After a step. */
  readonly step: (text: string) => void;
  /** While a step waits: for what. */
  readonly waiting: (text: string) => void;
}

export const PRINTED: Progress = {
  step: (text) => void process.stdout.write(`  ✓ ${plain(text)}\n`),
  waiting: (text) => void process.stdout.write(`  … ${plain(text)}\n`),
};

/** @throws InputError with all problems, each group with its hint */
export function refuseProblems(findings: readonly Finding[]): void {
  const lines = findings.flatMap(({ problems, hint }) => (problems.length === 0 ? [] : [...problems, `hint: ${hint}`]));
  if (lines.length > 0) throw new InputError(['nothing was changed, because:', ...lines.map((line) => `  ${line}`)]);
}
