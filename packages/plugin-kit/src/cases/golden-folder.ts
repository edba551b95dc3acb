/** The files of golden cases: inputs and expected results in a reviewable format. */
import { strictEqual } from 'node:assert';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import type { Report } from '@meshrelay/api';
import { parse, stringify } from 'yaml';
import type { FleetSpec } from '../fleet/fleet-spec.ts';

/** A policy in a `report.yaml`. */
interface Reported {
  readonly reports: readonly Report[];
  readonly targets: ReadonlyArray<{ readonly reports: readonly Report[] }>;
}

/** The files that a case is compared with. */
export type GoldenFile = 'output.yaml' | 'report.yaml' | 'discovered.yaml';

const UPDATE = process.env['MESHRELAY_GOLDEN'] === 'update';

/** Inputs by path. Several checks read each, and parsing takes most of their time. */
const INPUTS = new Map<string, { readonly text: string; readonly spec: FleetSpec }>();

/** A folder with a folder for each case. */
export class GoldenFolder {
  readonly #root: string;

  /** @param folder its path, or its `file:` URL, such as `new URL('./golden', import.meta.url)` */
  constructor(folder: string | URL) {
    this.#root = folder instanceof URL ? fileURLToPath(folder) : folder;
  }

  /** Names of the cases; empty if the folder does not exist yet. */
  cases(): readonly string[] {
    return this.#folders().filter((name) => existsSync(this.path(name, 'input.yaml')));
  }

  /** Folders without an `input.yaml`, which look like cases but are not. */
  unfinished(): readonly string[] {
    return this.#folders().filter((name) => !existsSync(this.path(name, 'input.yaml')));
  }

  /** Path of a file of a case, whether it exists or not. */
  path(name: string, file: 'input.yaml' | GoldenFile): string {
    return join(this.#root, name, file);
  }

  /**
   * The input of a case.
   * @throws Error naming the file and the line if it is not YAML
   */
  input(name: string): FleetSpec {
    const path = this.path(name, 'input.yaml');
    const text = readFileSync(path, 'utf8');
    const known = INPUTS.get(path);
    if (known?.text === text) return known.spec;
    try {
      const spec = parse(text) as FleetSpec;
      INPUTS.set(path, { text, spec });
      return spec;
    } catch (cause) {
      throw new Error(`${path}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
    }
  }

  /** The recorded reports with this code of a case's policies; empty before the first recording. */
  reports(name: string, code: string): readonly Report[] {
    const path = this.path(name, 'report.yaml');
    const text = existsSync(path) ? readFileSync(path, 'utf8') : '';
    if (!text.includes(code)) return [];
    const policies = (parse(text) ?? []) as readonly Reported[];
    return policies
      .flatMap(({ reports, targets }) => [...reports, ...targets.flatMap((target) => target.reports)])
      .filter((report) => report.code === code);
  }

  /**
   * Compares with the file, or writes it if `MESHRELAY_GOLDEN=update` is set.
   * @throws AssertionError with both texts
   */
  compare(name: string, file: GoldenFile, value: unknown): void {
    const path = this.path(name, file);
    const text = stringify(value, { lineWidth: 0, aliasDuplicateObjects: false });
    if (UPDATE) writeFileSync(path, text);
    const known = existsSync(path) ? readFileSync(path, 'utf8') : '';
    if (text === known) return;
    console.error(
      `${name}/${file} differs; if it should, update it with MESHRELAY_GOLDEN=update and review the change`,
    );
    strictEqual(text, known);
  }

  #folders(): readonly string[] {
    if (!existsSync(this.#root)) return [];
    return readdirSync(this.#root, { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => name)
      .sort();
  }
}
