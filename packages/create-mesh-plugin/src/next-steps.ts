/** What to do with a created package. */

/** @param files relative to the folder */
export function nextSteps(folder: string, files: readonly string[]): string {
  return `${folder} has ${files.length} files. Next:

  cd ${folder}
  npm install
  npm test            # conformance checks and one golden case
  npm run check       # types
  npm run lint
  npm pack            # what you publish

Then follow README.md: discover your mesh, translate one more field, test it, and repeat.
`;
}
