/** Images of the programs: see docs/operations/images.md. */
export { type BuildImagesOptions, type BuiltImage, buildImages } from './build-images.ts';
export { type ImageOfFiles, writeImage } from './image-of-files.ts';
export { type ImageName, imagePrograms, nodeOptions } from './program.ts';
