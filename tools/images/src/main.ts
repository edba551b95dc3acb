/** `npm run images [-- NAME...]`: puts images of the programs into `dist/images`. */
import { join, relative } from 'node:path';
import process from 'node:process';
import { ROOT } from '@meshrelay/programs';
import { type BuiltImage, buildImages } from './build-images.ts';
import { type ImageName, imagePrograms } from './program.ts';

const known = Object.keys(imagePrograms) as readonly ImageName[];
const named = process.argv.slice(2);
const unknown = named.filter((name) => !known.some((each) => each === name));
if (unknown.length > 0) {
  process.stderr.write(`images: no program named ${unknown.join(', ')} has an image; there are ${known.join(', ')}\n`);
  process.exitCode = 2;
} else {
  const images = named.length === 0 ? known : known.filter((name) => named.includes(name));
  for (const built of await buildImages({ images, folder: join(ROOT, 'dist/images') })) print(built);
}

function print({ file, reference, digest, archiveBytes, unpackedBytes }: BuiltImage): void {
  const sizes = `${megabytes(unpackedBytes)} MB unpacked, ${megabytes(archiveBytes)} MB archive`;
  process.stdout.write(`${relative(process.cwd(), file)}  ${reference}  ${sizes}\n  ${digest}\n`);
}

function megabytes(bytes: number): string {
  return (bytes / 1e6).toFixed(1);
}
