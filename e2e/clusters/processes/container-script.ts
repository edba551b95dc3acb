/** The script that becomes the process of a container: it mounts volumes into the image's root and changes to it. */
import { join } from 'node:path';
import { type Container, nameOf, type Pod } from './pod.ts';
import type { UnpackedImage } from './unpacked-image.ts';

export interface ContainerParts {
  readonly pod: Pod;
  readonly container: Container;
  readonly image: UnpackedImage;
  /** With the arguments, after expansion. */
  readonly command: readonly string[];
  /** The folder with a folder for each volume, and with `hosts` and `resolv.conf`. */
  readonly folder: string;
  readonly volumes: string;
  /** Whether this process may change to other users: not in a user namespace that has only root. */
  readonly changesUser: boolean;
}

/** Devices that programs open. */
const DEVICES = ['null', 'zero', 'full', 'random', 'urandom'];

/** For bash, which exec replaces by the program: its process identifier is the container's. */
export function containerScript(parts: ContainerParts): string {
  const { pod, container, image, command, folder, volumes } = parts;
  const { root } = image;
  const place = container.workingDir ?? image.workingDirectory;
  if (place !== '/') throw new Error(`pod ${nameOf(pod)}: the working directory ${place} is not supported; expected /`);
  const isReadOnly = container.securityContext?.readOnlyRootFilesystem === true;
  const mounts = (container.volumeMounts ?? []).map(({ name, mountPath, subPath = '', readOnly = false }) => ({
    from: join(volumes, name, subPath),
    to: join(root, mountPath),
    readOnly,
  }));
  const devices = DEVICES.map((name) => ({ from: join('/dev', name), to: join(root, 'dev', name) }));
  const files = ['hosts', 'resolv.conf'].map((name) => ({ from: join(folder, name), to: join(root, 'etc', name) }));
  const folders = [...mounts.map(({ to }) => to), ...['dev', 'etc', 'proc', 'tmp'].map((name) => join(root, name))];
  return [
    'set -e',
    // PATH is the container's: these programs are the machine's.
    'path=$PATH PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
    `echo ${quoted(pod.metadata.name)} > /proc/sys/kernel/hostname`,
    // The places of mounts stay in the root, which all containers of the image share.
    `mkdir -p ${folders.map(quoted).join(' ')}`,
    `touch ${[...devices, ...files].map(({ to }) => quoted(to)).join(' ')}`,
    `mount --bind ${quoted(root)} ${quoted(root)}`,
    ...(isReadOnly ? [`mount -o remount,bind,ro,nosuid,nodev ${quoted(root)}`] : []),
    ...[...devices, ...files].map(({ from, to }) => `mount --bind ${quoted(from)} ${quoted(to)}`),
    `mount --rbind /proc ${quoted(join(root, 'proc'))}`,
    ...mounts.flatMap(({ from, to, readOnly }) => [
      `mount --bind ${quoted(from)} ${quoted(to)}`,
      ...(readOnly ? [`mount -o remount,bind,ro,nosuid,nodev ${quoted(to)}`] : []),
    ]),
    'chroot=$(command -v chroot)',
    'PATH=$path',
    `exec "$chroot" ${[...userOf(parts), root, ...command].map(quoted).join(' ')}`,
    '',
  ].join('\n');
}

/** @throws Error if the container runs as root, and its pod forbids that */
function userOf({ pod, container, image, changesUser }: ContainerParts): readonly string[] {
  const [imageUser = '', imageGroup = ''] = image.user.split(':');
  const contexts = [container.securityContext, pod.spec.securityContext];
  const context = <Field extends 'runAsUser' | 'runAsGroup' | 'runAsNonRoot'>(field: Field) =>
    contexts.find((each) => each?.[field] !== undefined)?.[field];
  const user = String(context('runAsUser') ?? (imageUser || '0'));
  const group = String(context('runAsGroup') ?? (imageGroup || '0'));
  if (context('runAsNonRoot') === true && !/^[1-9]\d*$/.test(user))
    throw new Error(`pod ${nameOf(pod)}: the user of container ${container.name} is ${user}, and runAsNonRoot is set`);
  return changesUser ? [`--userspec=${user}:${group}`, '--groups='] : [];
}

/** For a shell. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
