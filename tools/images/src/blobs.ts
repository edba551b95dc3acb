/** Layers and other parts of images, by their digests. */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { type Tree, tarOf } from './tree.ts';

export interface Blob {
  readonly bytes: Buffer;
  /** `sha256:` and the hash of the bytes. */
  readonly digest: string;
}

export interface LayerBlob extends Blob {
  /** The digest of the layer without compression. */
  readonly diffId: string;
  /** The end of its media type. */
  readonly format: 'tar' | 'tar+gzip';
}

/** Compresses its input. */
const GZIP = "process.stdin.pipe(require('node:zlib').createGzip({ level: 6 })).pipe(process.stdout)";
const MAX_BYTES = 1 << 30;

export function blobOf(bytes: Buffer): Blob {
  return { bytes, digest: digestOf(bytes) };
}

/** A layer without compression. */
export async function plainLayer(tree: Tree): Promise<LayerBlob> {
  const blob = blobOf(await tarOf(tree));
  return { ...blob, diffId: blob.digest, format: 'tar' };
}

export interface CompressOptions {
  /** The Node that compresses: with another, the same layer may get other bytes. */
  readonly node: string;
  /** A folder for compressed layers. */
  readonly cache: string;
}

export async function layerBlob(tree: Tree, { node, cache }: CompressOptions): Promise<LayerBlob> {
  const tar = await tarOf(tree);
  const diffId = digestOf(tar);
  const file = join(cache, `${diffId.replace(':', '-')}.tar.gz`);
  if (!existsSync(file)) store(file, cache, compress(tar, node));
  return { ...blobOf(readFileSync(file)), diffId, format: 'tar+gzip' };
}

function compress(bytes: Buffer, node: string): Buffer {
  const options = { input: bytes, maxBuffer: MAX_BYTES, env: { PATH: process.env['PATH'] } };
  const { status, stdout, stderr, error } = spawnSync(node, ['-e', GZIP], options);
  if (status !== 0) throw new Error(`images: ${node} could not compress a layer: ${error?.message ?? String(stderr)}`);
  return stdout;
}

/** Through a folder of its own, so that readers see a complete file. */
function store(file: string, cache: string, bytes: Buffer): void {
  mkdirSync(cache, { recursive: true });
  const unfinished = mkdtempSync(join(cache, '.unfinished-'));
  writeFileSync(join(unfinished, 'layer'), bytes);
  renameSync(join(unfinished, 'layer'), file);
  rmSync(unfinished, { recursive: true });
}

function digestOf(bytes: Buffer): string {
  return `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
}
