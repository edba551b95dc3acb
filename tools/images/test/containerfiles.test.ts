/** The Containerfiles build the images that `npm run images` assembles. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '@meshrelay/programs';
import { assert, test } from '@meshrelay/testing';
import { USER } from '../src/libraries-layer.ts';
import { type ImageName, imagePrograms, nodeOptions } from '../src/mod.ts';
import { PROGRAM_FOLDER } from '../src/program.ts';

const images = Object.keys(imagePrograms) as readonly ImageName[];

test('each image has a Containerfile, and no other program has one', () => {
  const files = globSync('images/*.Containerfile', { cwd: ROOT });
  assert.equal(files.sort(), images.map((image) => `images/${image}.Containerfile`).sort());
});

for (const image of images)
  test(`${image}.Containerfile has the title, program folder, user and entrypoint of the assembled image`, () => {
    const lines = readFileSync(join(ROOT, 'images', `${image}.Containerfile`), 'utf8').split('\n');
    const main = `/${PROGRAM_FOLDER}/${image}.js`;
    for (const line of [
      'ARG BASE',
      // biome-ignore lint/suspicious/noTemplateCurlyInString: the file has these characters
      'FROM ${BASE}',
      `LABEL org.opencontainers.image.title="${imagePrograms[image]}" \\`,
      `COPY --chown=0:0 . /${PROGRAM_FOLDER}/`,
      `USER ${USER}:${USER}`,
      `ENTRYPOINT [${['node', ...nodeOptions[image], main].map((part) => `"${part}"`).join(', ')}]`,
    ])
      assert.ok(lines.includes(line), `${line} in ${lines.join('\n')}`);
  });

test.run();
