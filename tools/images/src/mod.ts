/** Container images of the programs, and meshctl as a plugin of kubectl: see docs/operations/images.md. */
export { type BuildImagesOptions, type BuiltImage, buildImages } from './build-images.ts';
export { type BundledPackage, bundledPackages } from './bundled-packages.ts';
export { type ImageOfFiles, writeImage } from './image-of-files.ts';
export { type BuiltPlugin, buildKrewPlugin } from './krew.ts';
export { type ImageName, imagePrograms, nodeOptions } from './program.ts';
export { type Component, npmComponent } from './sbom.ts';
export { type TreeEntry, tarOf } from './tree.ts';
export { uuidOf } from './uuid.ts';
