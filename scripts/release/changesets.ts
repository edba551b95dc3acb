/** The changesets of a checkout: what the next release changes. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

export interface Changeset {
  /** The name of its file without `.md`. */
  readonly id: string;
  /** The largest bump that it asks for. */
  readonly bump: Bump;
  /** Markdown. */
  readonly text: string;
}

type Bump = (typeof BUMPS)[number];

const BUMPS = ['major', 'minor', 'patch'] as const;
const FORM = /^---\r?\n([\s\S]*?)\r?\n---\r?\n([\s\S]+)$/;

/**
 * In order of names.
 * @throws Error that names the file, if it is not a changeset
 */
export function readChangesets(root: string): readonly Changeset[] {
  const folder = join(root, '.changeset');
  return readdirSync(folder)
    .filter((name) => name.endsWith('.md') && name !== 'README.md')
    .sort()
    .map((name) => ({ id: name.slice(0, -'.md'.length), ...readChangeset(join(folder, name)) }));
}

function readChangeset(file: string): Omit<Changeset, 'id'> {
  const [, head = '', text = ''] = FORM.exec(readFileSync(file, 'utf8')) ?? [];
  const bumps = Object.values((parse(head) ?? {}) as Readonly<Record<string, string>>);
  const bump = BUMPS.find((each) => bumps.includes(each));
  if (bump === undefined || text.trim() === '')
    throw new Error(`${file}: expected packages with major, minor or patch between lines of ---, then a text`);
  return { bump, text: text.trim() };
}
