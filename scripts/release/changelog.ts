/** The changelog: a section for each release, the newest first. */
import type { Changeset } from './changesets.ts';

const HEAD = `# Changelog

Packages, charts and images have one version. Before 1.0.0, a minor version can contain breaking changes; the text then
says what to do. \`@meshrelay/plugin\`, the contract of mesh plugins, has a version of its own.
`;

const SECTIONS: ReadonlyArray<readonly [title: string, bumps: readonly Changeset['bump'][]]> = [
  ['Changes', ['major', 'minor']],
  ['Fixes', ['patch']],
];

/** Changesets whose names end so introduce the section instead of being items of its lists. */
const INTRODUCTION = '-release';

/** The text of a release, without its heading. */
export function releaseNotes(changesets: readonly Changeset[]): string {
  const introductions = changesets.filter(({ id }) => id.endsWith(INTRODUCTION));
  const others = changesets.filter(({ id }) => !id.endsWith(INTRODUCTION));
  const lists = SECTIONS.map(([title, bumps]) => {
    const items = others.filter(({ bump }) => bumps.includes(bump)).map(({ text }) => itemOf(text));
    return items.length === 0 ? [] : [`### ${title}\n\n${items.join('\n')}`];
  });
  return [...introductions.map(({ text }) => text), ...lists.flat()].join('\n\n');
}

/** The changelog with the section of a new release. @param before its text; undefined before the first release */
export function withRelease(before: string | undefined, version: string, notes: string): string {
  const [, ...sections] = (before ?? '').split(/^(?=## )/m);
  return [HEAD, `## ${version}\n\n${notes}\n`, ...sections.map((section) => `${section.trimEnd()}\n`)].join('\n');
}

/** What the changelog says about a version, without its heading. @throws Error if it has no such section */
export function notesOf(changelog: string, version: string): string {
  const section = changelog.split(/^(?=## )/m).find((each) => each.startsWith(`## ${version}\n`));
  if (section === undefined)
    throw new Error(`CHANGELOG.md has no section ${version}; write it by \`npm run release -- version\``);
  return section.slice(section.indexOf('\n')).trim();
}

function itemOf(text: string): string {
  return `- ${text.replaceAll(/\n(?=.)/g, '\n  ')}`;
}
