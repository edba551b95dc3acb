/**
 * Copies the .proto files of roots.ts and their imports into `proto/`: from the pinned artifact, by Maven. Needs mvn
 * and unzip.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { ARTIFACT, ROOTS } from './roots.ts';

const target = resolve(import.meta.dirname, '../proto');
/** Files that every compiler includes. */
const BUILT_IN = 'google/protobuf/';

const jar = fetchedJar();
rmSync(target, { recursive: true, force: true });
for (const [path, text] of closure(ROOTS)) {
  const file = join(target, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

/** The path of the artifact in Maven's own cache. @throws Error if its content does not match the pinned hash */
function fetchedJar(): string {
  const [group = '', name, version] = ARTIFACT.coordinates.split(':');
  execFileSync('mvn', ['-q', 'dependency:get', `-Dartifact=${ARTIFACT.coordinates}`, '-Dtransitive=false'], {
    stdio: 'inherit',
  });
  const cache = execFileSync('mvn', ['-q', 'help:evaluate', '-Dexpression=settings.localRepository', '-DforceStdout'], {
    encoding: 'utf8',
  });
  const path = join(
    stripVTControlCharacters(cache).trim(),
    ...group.split('.'),
    `${name}`,
    `${version}`,
    `${name}-${version}.jar`,
  );
  const sha256 = createHash('sha256').update(readFileSync(path)).digest('hex');
  if (sha256 !== ARTIFACT.sha256)
    throw new Error(
      `${path} has sha256 ${sha256}, expected ${ARTIFACT.sha256}; see who changed ${ARTIFACT.coordinates}`,
    );
  return path;
}

function closure(roots: readonly string[]): Map<string, string> {
  const found = new Map<string, string>();
  const todo = [...roots];
  for (let path = todo.pop(); path !== undefined; path = todo.pop()) {
    if (found.has(path) || path.startsWith(BUILT_IN)) continue;
    const text = execFileSync('unzip', ['-p', jar, path], { encoding: 'utf8' });
    found.set(path, text);
    todo.push(...Array.from(text.matchAll(/^import\s+(?:public |weak )?"([^"]+)"/gm), ([, imported = '']) => imported));
  }
  return found;
}
