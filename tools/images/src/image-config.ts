/** The configuration of the image of a program. */
import { USER } from './libraries-layer.ts';
import { NODE_PATH } from './node-layer.ts';
import { type ImageName, imagePrograms, nodeOptions, type Release } from './program.ts';

export interface ImageProgram {
  readonly image: ImageName;
  readonly release: Release;
  /** The time of the commit. */
  readonly created: Date;
  /** The absolute path of the file that starts the program. */
  readonly main: string;
}

/** As in OCI's image specification, without the layers. */
export function configOf({ image, release, created, main }: ImageProgram): object {
  return {
    created: created.toISOString(),
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
    history: ['libraries', 'node', image].map((part) => ({
      created: created.toISOString(),
      created_by: `npm run images: ${part}`,
    })),
  };
}
