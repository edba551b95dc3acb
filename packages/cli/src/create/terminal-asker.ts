/** Asks in a terminal, on stderr: stdout has only the result. */
import process from 'node:process';
import { Writable } from 'node:stream';
import { autocompleteMultiselect, type CANCEL_SYMBOL, isCancel, log, select, text } from '@clack/prompts';
import { plain } from '../output/plain.ts';
import { InputError, Interrupted } from '../problem.ts';
import type { Asker, Choice, SeveralQuestion, TextQuestion } from './asker.ts';

/** The part of a terminal's stream that the prompts use. */
interface Screen extends Writable {
  columns?: number;
  rows?: number;
}

export class TerminalAsker implements Asker {
  readonly #screen: Screen = screen();

  async text<Value>({ message, initial, parse }: TextQuestion<Value>): Promise<Value> {
    const validate = (answer = ''): string | undefined => problemOf(() => parse(answer));
    const answer = await this.#answer((end) =>
      text({ ...end, message: plain(message), ...(initial === undefined ? {} : { initialValue: initial }), validate }),
    );
    return parse(answer);
  }

  async one<const Value extends string>(message: string, choices: ReadonlyArray<Choice<Value>>): Promise<Value> {
    const answer = await this.#answer((end) =>
      select<string>({ ...end, message: plain(message), options: choices.map(optionOf) }),
    );
    return answer as Value;
  }

  async several({ message, choices, required, problem }: SeveralQuestion): Promise<readonly string[]> {
    if (choices.length === 0) return nothing(message, required);
    const picked = await this.#answer((end) =>
      autocompleteMultiselect<string>({ ...end, message: plain(message), options: choices.map(optionOf), required }),
    );
    const wrong = problem?.(picked);
    if (wrong === undefined) return picked;
    log.warn(plain(wrong), { output: this.#screen });
    return await this.several({ message, choices, required, ...(problem === undefined ? {} : { problem }) });
  }

  /** Ctrl-D ends the questions, as Ctrl-C does: otherwise the prompt would wait for input that cannot come. */
  async #answer<Answer>(prompt: (options: PromptOptions) => Promise<Answer | typeof CANCEL_SYMBOL>): Promise<Answer> {
    const end = new AbortController();
    const onKey = (_text: unknown, key?: { readonly name?: string; readonly ctrl?: boolean }): void => {
      if (key?.ctrl === true && key.name === 'd') end.abort();
    };
    process.stdin.on('keypress', onKey);
    try {
      const answer = await prompt({ input: process.stdin, output: this.#screen, signal: end.signal });
      if (isCancel(answer)) throw new Interrupted();
      return answer;
    } finally {
      process.stdin.off('keypress', onKey);
    }
  }
}

interface PromptOptions {
  readonly input: NodeJS.ReadStream;
  readonly output: Writable;
  readonly signal: AbortSignal;
}

/** Passes control sequences of the prompts to the terminal, which is guarded against those in texts. */
function screen(): Screen {
  const { stderr } = process;
  const stream: Screen = new Writable({
    write(chunk: Buffer, _encoding, done) {
      stderr.write(chunk, () => done());
    },
  });
  return Object.defineProperties(stream, {
    columns: { get: () => stderr.columns },
    rows: { get: () => stderr.rows },
  });
}

/** Of a list without entries. */
function nothing(message: string, required: boolean): readonly string[] {
  if (!required) return [];
  throw new InputError(`${message} Discovery has found none; meshctl check shows whether all clusters are connected`);
}

function optionOf({ value, label = value, hint }: Choice): { value: string; label: string; hint?: string } {
  return { value, label: plain(label), ...(hint === undefined ? {} : { hint: plain(hint) }) };
}

function problemOf(parse: () => unknown): string | undefined {
  try {
    parse();
    return undefined;
  } catch (error) {
    return plain((error as Error).message);
  }
}
