/** Parses the name of an image. */
import { ModuleError } from '../module-error.ts';

export interface ImageName {
  /** `host` or `host:port`. */
  readonly registry: string;
  readonly repository: string;
  /** Reference for the registry: a tag, or `sha256:...`. */
  readonly reference: string;
  /** Whether the reference can never point to another image. */
  readonly pinned: boolean;
}

/** Docker Hub serves its registry API under another name than the one in image names. */
const HUB: ReadonlySet<string> = new Set(['docker.io', 'index.docker.io']);
const HUB_REGISTRY = 'registry-1.docker.io';
const NAME = /^([^/]+)\/([^:@]+)(?::([^@]+))?(?:@(sha256:[0-9a-f]{64}))?$/;

/** @throws ModuleError if the text is not the name of an image */
export function imageName(text: string): ImageName {
  const [, host = '', path = '', tag, digest] = NAME.exec(text) ?? [];
  const reference = digest ?? tag;
  if (host === '' || reference === undefined)
    throw new ModuleError(
      `${text} does not name an image with registry and tag or digest, such as registry.example.com/filters/auth:v1`,
      'changed',
    );
  const isHub = HUB.has(host);
  return {
    registry: isHub ? HUB_REGISTRY : host,
    repository: isHub && !path.includes('/') ? `library/${path}` : path,
    reference,
    pinned: digest !== undefined,
  };
}
