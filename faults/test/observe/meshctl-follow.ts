/** The real meshctl, which follows logs or queries once. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import process from 'node:process';
import { until } from '@meshrelay/local-fleet';
import { builtProgram } from '@meshrelay/programs';
import { TIMEOUT_MS } from './observed-fleet.ts';

export class Meshctl implements AsyncDisposable {
  stdout = '';
  stderr = '';
  readonly #child;
  readonly #ended: Promise<unknown[]>;

  constructor(...args: string[]) {
    this.#child = spawn(process.execPath, [builtProgram('meshctl'), ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
    this.#child.stdout.setEncoding('utf8').on('data', (text: string) => (this.stdout += text));
    this.#child.stderr.setEncoding('utf8').on('data', (text: string) => (this.stderr += text));
    this.#ended = once(this.#child, 'close');
  }

  /** Runs it until it exits. */
  static async run(
    ...args: string[]
  ): Promise<{ readonly code: unknown; readonly stdout: string; readonly stderr: string }> {
    const meshctl = new Meshctl(...args);
    const [code] = await meshctl.#ended;
    const { stdout, stderr } = meshctl;
    return { code, stdout, stderr };
  }

  /** Paths of the entries, which are lines of JSON. */
  get paths(): string[] {
    return pathsIn(this.stdout);
  }

  async until(what: string, probe: (meshctl: this) => boolean): Promise<void> {
    const missing = (): string => JSON.stringify([this.stdout.slice(-2_000), this.stderr.slice(-2_000)]);
    await until(what, { ...TIMEOUT_MS, missing }, () => (probe(this) ? true : undefined));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#child.exitCode === null) this.#child.kill();
    await this.#ended;
  }
}

export function pathsIn(lines: string): string[] {
  return lines
    .split('\n')
    .filter((line) => line.endsWith('}'))
    .map((line) => (JSON.parse(line) as { readonly path: string }).path);
}
