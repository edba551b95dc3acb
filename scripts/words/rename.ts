/**
 * Renames identifiers, files and folders by tables (scripts/words/rename/table.ts), by declaration:
 *   node --max-old-space-size=8000 scripts/words/rename.ts [--dry] TABLE…
 * Prints the names that it could not rename. Afterwards run:
 *   biome check --write $(git diff --name-only --diff-filter=d HEAD -- '*.ts')
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import ts from 'typescript-6';
import { planMoves, rewritePaths, setKnownPaths } from './rename/files.ts';
import { findOccurrences } from './rename/occurrences.ts';
import { planRenames } from './rename/plan.ts';
import { loadSources } from './rename/program.ts';
import { fits, parseTable, type Row } from './rename/table.ts';
import { rewriteNames } from './rename/texts.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url)).replace(/\/$/, '');
const args = process.argv.slice(2);
const isDry = args.includes('--dry');
const tables = args.filter((each) => !each.startsWith('--'));
const rows: Row[] = tables.flatMap((file) => parseTable(readFileSync(file, 'utf8'), relative(ROOT, file)));

const git = (...words: readonly string[]): string =>
  execFileSync('git', words, { cwd: ROOT, encoding: 'utf8', maxBuffer: 1 << 26 });
const started = Date.now();
const log = (text: string): void => console.error(`${((Date.now() - started) / 1000).toFixed(1)} s  ${text}`);

const tracked = git('ls-files', '-z').split('\0').filter(Boolean);
const isOwn = (path: string): boolean => !path.startsWith('scripts/words/') && !path.startsWith('scripts/test/words/');
const isGenerated = (path: string): boolean => /(?:^|\/)gen\//.test(path) || !isOwn(path);
const sourcePaths = tracked.filter((path) => /\.[mc]?[jt]s$/.test(path));
const sources = loadSources(ROOT, sourcePaths, isGenerated);
log(`${sourcePaths.length} sources parsed`);

const names = new Set(rows.filter((row) => row.what === 'id').map((row) => row.old));
const occurrences = [...sources.files].flatMap(([file, source]) =>
  findOccurrences(file, source, sources.checker, names),
);
log(`${occurrences.length} uses of ${names.size} names`);
const plan = planRenames(ROOT, sources, occurrences, rows);
const refused = [...plan.refused];
log(`${plan.groups} declarations get ${plan.edits.length} edits`);

const literals = rows.filter((row) => row.what === 'literal');
const literalsOfAll = [...sources.files].flatMap(([file, source]) => literalEdits(file, source));
// The plan already includes literals that name a property.
const planned = new Set(plan.edits.map(({ file, start }) => `${file} ${start}`));
const byFile = Map.groupBy(
  [...plan.edits, ...literalsOfAll.filter(({ file, start }) => !planned.has(`${file} ${start}`))],
  (edit) => edit.file,
);
const moves = planMoves(tracked.filter(isOwn), rows, refused);
setKnownPaths(tracked);
const roots = tracked
  .filter((path) => path.endsWith('/package.json'))
  .flatMap((path) => [dirname(path), `${dirname(path)}/src`]);

const texts = rows.filter((row) => row.what === 'text');
let changed = 0;
for (const path of tracked.filter((each) => isOwn(each) && /\.(?:[mc]?[jt]s|json|md|ya?ml|proto)$/.test(each))) {
  const before = readFileSync(join(ROOT, path), 'utf8');
  const target = moves.get(path) ?? path;
  let text = before;
  for (const { start, end, text: name } of (byFile.get(path) ?? []).toSorted((a, b) => b.start - a.start))
    text = text.slice(0, start) + name + text.slice(end);
  if (!isGenerated(path)) text = rewriteNames(text, path, plan.everywhere);
  if (moves.size > 0 && !path.includes('/golden/') && !/(?:^|\/)\.changeset\//.test(path))
    text = rewritePaths(text, path, target, moves, roots);
  for (const row of texts) if (fits(row, path)) text = text.replaceAll(row.old, row.names[0] ?? row.old);
  if (text === before) continue;
  changed++;
  if (!isDry) writeFileSync(join(ROOT, path), text);
}
if (!isDry)
  for (const [from, to] of moves) {
    mkdirSync(dirname(join(ROOT, to)), { recursive: true });
    git('mv', from, to);
  }
log(`${changed} files changed, ${moves.size} moved`);
for (const line of refused.sort()) console.log(line);
console.log(`${refused.length} not done`);

function literalEdits(
  file: string,
  source: ts.SourceFile,
): { file: string; start: number; end: number; text: string }[] {
  const here = literals.filter((row) => fits(row, file));
  const found: { file: string; start: number; end: number; text: string }[] = [];
  if (here.length === 0) return found;
  const visit = (node: ts.Node): void => {
    if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) {
      const [name] = here.find((row) => row.old === node.text)?.names ?? [];
      if (name !== undefined && !ts.isImportDeclaration(node.parent))
        found.push({ file, start: node.getStart(source) + 1, end: node.end - 1, text: name });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}
