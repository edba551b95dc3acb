/** The list of licences of an image, with the texts that the licences of npm packages ask for. */
import type { BundledPackage } from './bundled-packages.ts';
import { libraries } from './debian-packages.ts';
import { NODE_VERSION } from './node-layer.ts';
import type { Release } from './program.ts';

/** A line for each part, then the licence texts of npm packages, each once. */
export function licenceList(release: Release, packages: readonly BundledPackage[]): string {
  const lines = [
    `meshrelay ${release.version}: ${release.license} (meshrelay/LICENSE)`,
    `node ${NODE_VERSION}: MIT, and those of its parts (node/LICENSE)`,
    ...libraries.map(({ name, version, licence }) => `${name} ${version}: ${licence} (${name}/copyright)`),
    ...packages.map(({ name, version, licence }) => `${name} ${version}: ${licence}`),
  ];
  return `${[
    'Parts of this image, with their licences. Files in brackets are in /usr/share/doc of the image.',
    lines.join('\n'),
    ...textsOf(packages),
  ].join('\n\n')}\n`;
}

function textsOf(packages: readonly BundledPackage[]): readonly string[] {
  const users = new Map<string, string[]>();
  for (const { name, version, texts } of packages)
    for (const text of texts.map((each) => each.replaceAll('\r\n', '\n').trim())) {
      const known = users.get(text) ?? [];
      users.set(text, [...known, `${name} ${version}`]);
    }
  return [...users].map(([text, names]) => `---- ${names.join(', ')} ----\n\n${text}`);
}
