/**
 * Cache of modules on disk, each under its SHA-256, so a restart does not fetch them again. Its size is limited; the
 * least recently used module is evicted first. A file is written under another name and renamed, and every read
 * verifies the hash. So neither a crash nor a writer with access to the disk can make a proxy run another module.
 */
import { createHash, randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const MODULE = /^([0-9a-f]{64})\.wasm$/;

export interface ModuleCacheOptions {
  readonly directory: string;
  /** Limit for all modules together. */
  readonly maxBytes: number;
}

interface Entry {
  readonly size: number;
  /** Orders entries by their last use; larger is later. */
  used: number;
}

export class ModuleCache {
  readonly #options: ModuleCacheOptions;
  readonly #entries = new Map<string, Entry>();
  #opened: Promise<void> | undefined;
  #uses = 0;

  constructor(options: ModuleCacheOptions) {
    this.#options = options;
  }

  /** Bytes on disk. */
  get bytes(): number {
    let sum = 0;
    for (const { size } of this.#entries.values()) sum += size;
    return sum;
  }

  /**
   * Returns the module of this hash. Returns undefined if it is missing or if its content does not match the hash; then
   * it deletes the file.
   */
  async get(sha256: string): Promise<Uint8Array | undefined> {
    await this.#open();
    const entry = this.#entries.get(sha256);
    if (entry === undefined) return undefined;
    entry.used = this.#uses++;
    const path = this.#path(sha256);
    const bytes = await readFile(path).catch(() => undefined);
    if (bytes === undefined || sha256Of(bytes) !== sha256) {
      await this.#drop(sha256);
      return undefined;
    }
    const now = new Date();
    await utimes(path, now, now).catch(() => {});
    return bytes;
  }

  /**
   * Stores a module and evicts others if necessary. Does not store a module larger than the cache. @throws the file
   * system's error
   */
  async put(sha256: string, bytes: Uint8Array): Promise<void> {
    await this.#open();
    if (bytes.length > this.#options.maxBytes || this.#entries.has(sha256)) return;
    const unfinished = join(this.#options.directory, `${sha256}.${randomUUID()}.tmp`);
    try {
      await writeFile(unfinished, bytes, { flag: 'wx', mode: 0o600 });
      await rename(unfinished, this.#path(sha256));
    } catch (error) {
      await rm(unfinished, { force: true });
      throw error;
    }
    this.#entries.set(sha256, { size: bytes.length, used: this.#uses++ });
    await this.#makeRoom();
  }

  async #makeRoom(): Promise<void> {
    const oldest = [...this.#entries].sort(([, a], [, b]) => a.used - b.used);
    for (const [sha256] of oldest) {
      if (this.bytes <= this.#options.maxBytes) return;
      await this.#drop(sha256);
    }
  }

  async #drop(sha256: string): Promise<void> {
    this.#entries.delete(sha256);
    await rm(this.#path(sha256), { force: true });
  }

  #open(): Promise<void> {
    this.#opened ??= this.#readDirectory();
    return this.#opened;
  }

  /** Loads files of an earlier process by their last use, and deletes incomplete ones. */
  async #readDirectory(): Promise<void> {
    const { directory } = this.#options;
    await mkdir(directory, { recursive: true, mode: 0o700 });
    const found: { readonly sha256: string; readonly size: number; readonly at: number }[] = [];
    for (const name of await readdir(directory)) {
      const [, sha256] = MODULE.exec(name) ?? [];
      if (name.endsWith('.tmp')) await rm(join(directory, name), { force: true });
      if (sha256 === undefined) continue;
      const { size, mtimeMs } = await stat(join(directory, name));
      found.push({ sha256, size, at: mtimeMs });
    }
    for (const { sha256, size } of found.sort((a, b) => a.at - b.at))
      this.#entries.set(sha256, { size, used: this.#uses++ });
    await this.#makeRoom();
  }

  #path(sha256: string): string {
    return join(this.#options.directory, `${sha256}.wasm`);
  }
}

/** In hexadecimal. */
export function sha256Of(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
