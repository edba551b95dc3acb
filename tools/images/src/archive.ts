/** An image as one archive: an OCI image layout that `docker load` and `podman load` read as well. */
import { type Blob, blobOf, type LayerBlob } from './blobs.ts';
import { USER } from './libraries-layer.ts';
import { NODE_PATH } from './node-layer.ts';
import { type ImageName, imagePrograms, nodeOptions, type Release } from './program.ts';
import { type TreeEntry, tarOf, textFile } from './tree.ts';

export interface ImageParts {
  readonly image: ImageName;
  readonly release: Release;
  /** The time of the commit. */
  readonly created: Date;
  readonly layers: readonly LayerBlob[];
  /** The absolute path of the file that starts the program. */
  readonly main: string;
}

export interface Archive {
  readonly bytes: Buffer;
  /** The digest of the image's manifest: what a registry and a chart's `image.digest` name it by. */
  readonly digest: string;
}

const MEDIA = 'application/vnd.oci.image';

export async function archiveOf(parts: ImageParts): Promise<Archive> {
  const config = blobOf(json(configOf(parts)));
  const manifest = blobOf(json(manifestOf(parts, config)));
  const name = `meshrelay/${parts.image}:${parts.release.version}`;
  const tree = new Map<string, TreeEntry>();
  for (const blob of [config, manifest, ...parts.layers]) tree.set(pathOf(blob), { type: 'file', bytes: blob.bytes });
  tree.set('oci-layout', textFile('{"imageLayoutVersion":"1.0.0"}'));
  tree.set('index.json', { type: 'file', bytes: json(indexOf(parts, manifest, name)) });
  const docker = [{ Config: pathOf(config), RepoTags: [name], Layers: parts.layers.map(pathOf) }];
  tree.set('manifest.json', { type: 'file', bytes: json(docker) });
  return { bytes: await tarOf(tree), digest: manifest.digest };
}

function configOf({ image, release, created, layers, main }: ImageParts): object {
  return {
    created: created.toISOString(),
    architecture: 'amd64',
    os: 'linux',
    config: {
      User: `${USER}:${USER}`,
      Env: ['PATH=/usr/bin', 'SSL_CERT_FILE=/etc/ssl/certs/ca-certificates.crt'],
      Entrypoint: [`/${NODE_PATH}`, ...nodeOptions[image], main],
      WorkingDir: '/',
      Labels: {
        'org.opencontainers.image.title': imagePrograms[image],
        'org.opencontainers.image.version': release.version,
        'org.opencontainers.image.revision': release.gitHead,
        'org.opencontainers.image.licenses': release.license,
      },
    },
    rootfs: { type: 'layers', diff_ids: layers.map(({ diffId }) => diffId) },
    history: ['libraries', 'node', image].map((part) => ({
      created: created.toISOString(),
      created_by: `npm run images: ${part}`,
    })),
  };
}

function manifestOf({ layers }: ImageParts, config: Blob): object {
  return {
    schemaVersion: 2,
    mediaType: `${MEDIA}.manifest.v1+json`,
    config: descriptor(`${MEDIA}.config.v1+json`, config),
    layers: layers.map((layer) => descriptor(`${MEDIA}.layer.v1.tar+gzip`, layer)),
  };
}

/** containerd takes the name from its own annotation, other tools the tag from OCI's. */
function indexOf({ release }: ImageParts, manifest: Blob, name: string): object {
  const annotations = {
    'io.containerd.image.name': `docker.io/${name}`,
    'org.opencontainers.image.ref.name': release.version,
  };
  const platform = { architecture: 'amd64', os: 'linux' };
  return {
    schemaVersion: 2,
    mediaType: `${MEDIA}.index.v1+json`,
    manifests: [{ ...descriptor(`${MEDIA}.manifest.v1+json`, manifest), platform, annotations }],
  };
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
