/**
 * Extracts the module from an image: a layer that is the module, or an archive layer that contains it, as in images for
 * Istio.
 */
import { createHash } from 'node:crypto';
import { ModuleError } from '../module-error.ts';
import { moduleInArchive } from './archive.ts';
import { imageName } from './image-name.ts';
import { Registry, type RegistryOptions } from './registry.ts';

const MANIFEST_BYTES = 1024 * 1024;
const OCI_MANIFEST = 'application/vnd.oci.image.manifest.v1+json';
const DOCKER_MANIFEST = 'application/vnd.docker.distribution.manifest.v2+json';
const ACCEPT = `${OCI_MANIFEST}, ${DOCKER_MANIFEST}`;

/** Media types of layers that are the module itself. */
const MODULE_LAYERS: ReadonlySet<string> = new Set([
  'application/vnd.module.wasm.content.layer.v1+wasm',
  'application/vnd.wasm.content.layer.v1+wasm',
  'application/wasm',
]);
/** Media types of layers that contain it under its usual name. */
const ARCHIVE_LAYERS: ReadonlySet<string> = new Set([
  'application/vnd.docker.image.rootfs.diff.tar.gzip',
  'application/vnd.oci.image.layer.v1.tar+gzip',
]);

interface Layer {
  readonly mediaType: string;
  readonly digest: string;
  readonly size: number;
}

/** @throws ModuleError */
export async function moduleOfImage(image: string, options: RegistryOptions): Promise<Uint8Array> {
  const name = imageName(image);
  const registry = new Registry(name, options);
  const { body: manifest } = await registry.read(`manifests/${name.reference}`, ACCEPT, MANIFEST_BYTES);
  if (name.pinned) verifyDigest(manifest, name.reference, `the manifest of ${image}`);
  const layer = chooseLayer(layersOf(manifest, image), image);
  if (layer.size > options.maxBytes)
    throw new ModuleError(
      `the layer of ${image} has ${layer.size} bytes, and the limit of the agent is ${options.maxBytes}; make it smaller, or raise wasm.maxBytes of its configuration`,
      'changed',
    );
  const { body } = await registry.read(`blobs/${layer.digest}`, '*/*', options.maxBytes);
  verifyDigest(body, layer.digest, `a layer of ${image}`);
  return MODULE_LAYERS.has(layer.mediaType) ? body : moduleInArchive(body, image, options.maxBytes);
}

function layersOf(manifest: Uint8Array, image: string): readonly Layer[] {
  let parsed: { readonly layers?: unknown; readonly manifests?: unknown };
  try {
    parsed = JSON.parse(new TextDecoder().decode(manifest)) as typeof parsed;
  } catch (error) {
    throw new ModuleError(
      `the registry returns no manifest for ${image}; check that it is an image registry`,
      'later',
      error,
    );
  }
  if (Array.isArray(parsed.manifests))
    throw new ModuleError(
      `${image} is an index of images for several platforms; name the one with the module by its digest`,
      'changed',
    );
  if (!Array.isArray(parsed.layers)) throw noModule(image);
  return parsed.layers.filter(isLayer);
}

function isLayer(value: unknown): value is Layer {
  const { mediaType, digest, size } = (value ?? {}) as Record<string, unknown>;
  return (
    typeof mediaType === 'string' &&
    typeof digest === 'string' &&
    /^sha256:[0-9a-f]{64}$/.test(digest) &&
    typeof size === 'number'
  );
}

/** Chooses a layer with the media type of a module; otherwise the last archive, which is on top of all others. */
function chooseLayer(layers: readonly Layer[], image: string): Layer {
  const found =
    layers.find(({ mediaType }) => MODULE_LAYERS.has(mediaType)) ??
    layers.findLast(({ mediaType }) => ARCHIVE_LAYERS.has(mediaType));
  if (found === undefined) throw noModule(image);
  return found;
}

function noModule(image: string): ModuleError {
  return new ModuleError(
    `${image} has no layer with a WebAssembly module; push the module with a tool for such images`,
    'changed',
  );
}

function verifyDigest(bytes: Uint8Array, digest: string, what: string): void {
  const found = `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
  if (found !== digest)
    throw new ModuleError(`${what} does not match its digest: the registry returns ${found} for ${digest}`, 'later');
}
