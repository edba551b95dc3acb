/** An image as one archive: an OCI image layout that `docker load` and `podman load` read as well. */
import { type Blob, blobOf, type LayerBlob } from './blobs.ts';
import { type TreeEntry, tarOf, textFile } from './tree.ts';

export interface Image {
  /** `REPOSITORY:TAG` */
  readonly name: string;
  readonly layers: readonly LayerBlob[];
  /** As in OCI's image specification, without platform and layers. */
  readonly config: object;
}

export interface Archive {
  readonly bytes: Buffer;
  /** The digest of the image's manifest: what a registry and a chart's `image.digest` name it by. */
  readonly digest: string;
}

const MEDIA = 'application/vnd.oci.image';
const PLATFORM = { architecture: 'amd64', os: 'linux' } as const;

export async function archiveOf({ name, layers, config: settings }: Image): Promise<Archive> {
  const rootfs = { type: 'layers', diff_ids: layers.map(({ diffId }) => diffId) };
  const config = blobOf(json({ ...PLATFORM, ...settings, rootfs }));
  const manifest = blobOf(json(manifestOf(layers, config)));
  const tree = new Map<string, TreeEntry>();
  for (const blob of [config, manifest, ...layers]) tree.set(pathOf(blob), { type: 'file', bytes: blob.bytes });
  tree.set('oci-layout', textFile('{"imageLayoutVersion":"1.0.0"}'));
  tree.set('index.json', { type: 'file', bytes: json(indexOf(manifest, name)) });
  const docker = [{ Config: pathOf(config), RepoTags: [name], Layers: layers.map(pathOf) }];
  tree.set('manifest.json', { type: 'file', bytes: json(docker) });
  return { bytes: await tarOf(tree), digest: manifest.digest };
}

function manifestOf(layers: readonly LayerBlob[], config: Blob): object {
  return {
    schemaVersion: 2,
    mediaType: `${MEDIA}.manifest.v1+json`,
    config: descriptor(`${MEDIA}.config.v1+json`, config),
    layers: layers.map((layer) => descriptor(`${MEDIA}.layer.v1.${layer.format}`, layer)),
  };
}

/** containerd takes the name from its own annotation, other tools the tag from OCI's. */
function indexOf(manifest: Blob, name: string): object {
  const annotations = {
    'io.containerd.image.name': hasRegistry(name) ? name : `docker.io/${name}`,
    'org.opencontainers.image.ref.name': name.slice(name.lastIndexOf(':') + 1),
  };
  return {
    schemaVersion: 2,
    mediaType: `${MEDIA}.index.v1+json`,
    manifests: [{ ...descriptor(`${MEDIA}.manifest.v1+json`, manifest), platform: PLATFORM, annotations }],
  };
}

/** A first part like a host names a registry. */
function hasRegistry(name: string): boolean {
  const [first = '', ...rest] = name.split('/');
  return rest.length > 0 && (first === 'localhost' || /[.:]/.test(first));
}

function descriptor(mediaType: string, { digest, bytes }: Blob) {
  return { mediaType, digest, size: bytes.length };
}

function pathOf({ digest }: Blob): string {
  return `blobs/${digest.replace(':', '/')}`;
}

function json(value: unknown): Buffer {
  return Buffer.from(JSON.stringify(value));
}
