/**
 * Checks that no banned word (scripts/words/patterns.jsonl) is used more often than scripts/words/totals.json allows.
 * `--list [NAME…]` prints all uses, or those of some patterns. `--update` stores lower totals.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { checkWords, countByPattern, type Finding } from './words/check.ts';
import { readAllowed, readPatterns } from './words/data.ts';
import { compareTotals } from './words/ratchet.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const TOTALS = new URL('words/totals.json', import.meta.url);
const CHECKED = /\.(?:[mc]?[jt]s|proto|md|ya?ml|sh)$|^bin\//;
/** Copies of packages/api/crds, which is checked. */
const COPIES = /^charts\/[^/]+\/files\/crds\//;
const MAX_OPT_OUTS = 10;

const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
  cwd: ROOT,
  encoding: 'utf8',
  maxBuffer: 1 << 26,
});
const paths = [...new Set(listed.split('\0'))].filter(
  (path) => CHECKED.test(path) && !COPIES.test(path) && existsSync(join(ROOT, path)),
);
const files = new Map(paths.sort().map((path) => [path, readFileSync(join(ROOT, path), 'utf8')]));
const patterns = readPatterns();
const { findings, optOuts } = checkWords(files, patterns, readAllowed());
const totals = countByPattern(patterns, findings);
const [option, ...names] = process.argv.slice(2);

if (option === '--update') update();
else if (option === '--list')
  print(findings.filter(({ pattern }) => names.length === 0 || names.includes(pattern.name)));
else check();

const sum = (kind: string): number => findings.filter(({ pattern }) => pattern.in === kind).length;
console.log(`words: ${files.size} files, ${sum('id')} in identifiers and paths, ${sum('text')} in texts`);

function check(): void {
  const { grown, problems } = compareTotals(totals, readTotals());
  print(findings.filter(({ pattern }) => grown.includes(pattern.name)));
  for (const problem of problems) console.error(problem);
  if (optOuts.length > MAX_OPT_OUTS)
    console.error(`${optOuts.length} lines opt out, at most ${MAX_OPT_OUTS} may: ${optOuts.join(', ')}`);
  if (problems.length > 0 || optOuts.length > MAX_OPT_OUTS) process.exitCode = 1;
}

function update(): void {
  const { grown } = compareTotals(totals, readTotals() ?? Object.fromEntries(totals));
  if (grown.length > 0) {
    console.error(`not stored: more uses than before of ${grown.join(', ')}; run without --update to see them`);
    process.exitCode = 1;
  } else if ([...totals.values()].every((count) => count === 0)) rmSync(TOTALS, { force: true });
  else writeFileSync(TOTALS, `${JSON.stringify(Object.fromEntries(totals), undefined, 2)}\n`);
}

function readTotals(): Record<string, number> | undefined {
  return existsSync(TOTALS) ? (JSON.parse(readFileSync(TOTALS, 'utf8')) as Record<string, number>) : undefined;
}

function print(uses: readonly Finding[]): void {
  for (const { file, line, found, pattern } of uses)
    console.log(`${file}${line === 0 ? '' : `:${line}`}: ${found.replace(/\s+/g, ' ')} -> ${pattern.to}`);
}
