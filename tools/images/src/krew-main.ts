/** `npm run krew -- URL`: puts meshctl as a plugin of kubectl into `dist/krew`. */
import { join, relative } from 'node:path';
import process from 'node:process';
import { ROOT } from '@meshrelay/programs';
import { buildKrewPlugin } from './krew.ts';

const [url = '', ...more] = process.argv.slice(2);
if (!/^https:\/\/\S+$/.test(url) || more.length > 0) {
  process.stderr.write(
    'krew: expected the https URL of the folder in which the archive will be published, such as: npm run krew -- https://example.com/meshrelay/v1.2.3\n',
  );
  process.exitCode = 2;
} else {
  const { archive, manifest } = await buildKrewPlugin(url, join(ROOT, 'dist/krew'));
  process.stdout.write(`${relative(process.cwd(), archive)}\n${relative(process.cwd(), manifest)}\n`);
}
