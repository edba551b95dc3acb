/** The steps of the story: each prints a line with its seconds; the first that fails ends the story. */

const FOREVER_MS = 2 ** 30;

export class Steps {
  #passed = 0;
  readonly #begun = performance.now();
  readonly #keep: boolean;

  /** @param keep whether the clusters stay after a step has failed */
  constructor(keep: boolean) {
    this.#keep = keep;
  }

  /** @throws Error of the step, with its name */
  async run<T>(name: string, step: () => Promise<T>): Promise<T> {
    const begun = performance.now();
    try {
      const result = await step();
      this.#passed += 1;
      console.log(`${seconds(begun)}  ✓ ${name}`);
      return result;
    } catch (cause) {
      console.log(`${seconds(begun)}  ✗ ${name}`);
      if (this.#keep) await untilInterrupted(cause as Error);
      throw new Error(`${name}: ${(cause as Error).message}`, { cause });
    }
  }

  get passed(): number {
    return this.#passed;
  }

  /** For the last line. */
  get duration(): string {
    return seconds(this.#begun);
  }
}

/** Until the user ends this process. */
async function untilInterrupted({ message }: Error): Promise<void> {
  console.log(`${message}\nthe clusters stay until Ctrl-C`);
  await new Promise((resolve) => setTimeout(resolve, FOREVER_MS));
}

function seconds(begun: number): string {
  return `${((performance.now() - begun) / 1000).toFixed(1).padStart(6)} s`;
}
