/**
 * Names that public DNS would resolve, such as those of load balancers: each gets an address, and every program here
 * resolves it.
 */
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '@meshrelay/testing';

/** A reserved range: RFC 2544 assigns it to benchmarks. */
const RANGE = '198.18';

export class HostNames implements Disposable {
  readonly #folder = temporaryFolder();
  readonly #file = join(this.#folder.path, 'hosts');
  readonly #addresses = new Map<string, string>();

  /** Replaces `/etc/hosts` for all processes that share this process's mounts. */
  constructor() {
    this.#write();
    execFileSync('mount', ['--bind', this.#file, '/etc/hosts']);
  }

  addressOf(name: string): string {
    const known = this.#addresses.get(name);
    if (known !== undefined) return known;
    const number = this.#addresses.size + 1;
    const address = `${RANGE}.${Math.floor(number / 250)}.${(number % 250) + 1}`;
    this.#addresses.set(name, address);
    this.#write();
    return address;
  }

  [Symbol.dispose](): void {
    execFileSync('umount', ['/etc/hosts']);
    this.#folder[Symbol.dispose]();
  }

  #write(): void {
    const lines = [...this.#addresses].map(([name, address]) => `${address} ${name}`);
    writeFileSync(this.#file, ['127.0.0.1 localhost', ...lines, ''].join('\n'));
  }
}
