/** The command line of the fault suite. */
import { parseArgs } from 'node:util';
import { FULL, type Scale, SHORT } from '../fleet/scale.ts';
import { type LoadPlan, SMALL_LOAD, WHOLE_LOAD } from '../load/plan.ts';
import type { Row } from '../trial/row.ts';

export const USAGE = `usage: npm run test:faults [-- [--full] [--repeat N] [--soak] [--result FILE] [ROW...]]

  ROW             a row of the fault matrix, such as F1, or LOAD; all unless told
  --full          with times and loads as in production, not shortened
  --repeat N      each row so often
  --soak          as --full --repeat 3, and the load for ten minutes; the result goes to faults/SOAK.json unless told
  --result FILE   write what was measured there, as JSON
`;

/** The load among the rows. */
export const LOAD = 'LOAD';
const SOAK_SECONDS = 600;
const SOAK_RESULT = 'faults/SOAK.json';

export interface Options {
  readonly help: boolean;
  readonly rows: readonly Row[];
  readonly scale: Scale;
  /** Whether everything runs, including F1 at full scale. */
  readonly everything: boolean;
  readonly load: LoadPlan | undefined;
  readonly result: string | undefined;
  /** Rows that do not run, with the reason. */
  readonly skipped: Readonly<Record<string, string>>;
}

/** The fault matrix. */
export interface Matrix {
  readonly all: readonly Row[];
  /** Rows that cannot pass yet, with the reason. */
  readonly notYet: Readonly<Record<string, string>>;
}

/** @throws Error that describes the error in the arguments */
export function readOptions(argv: readonly string[], { all, notYet }: Matrix): Options {
  const { values, positionals } = parseArgs({
    args: [...argv],
    allowPositionals: true,
    options: {
      full: { type: 'boolean', default: false },
      soak: { type: 'boolean', default: false },
      repeat: { type: 'string' },
      result: { type: 'string' },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  const known = [...all.map(({ id }) => id), LOAD];
  const unknown = positionals.filter((id) => !known.includes(id));
  if (unknown.length > 0) throw new Error(`no row ${unknown.join(', ')}; there are ${known.join(', ')}`);
  const everything = positionals.length === 0;
  const full = values.full || values.soak;
  const base = full ? FULL : SHORT;
  return {
    help: values.help,
    everything,
    rows: all.filter(({ id }) => (everything ? notYet[id] === undefined : positionals.includes(id))),
    scale: { ...base, repeat: repeatOf(values.repeat, values.soak ? 3 : 1) },
    load: everything || positionals.includes(LOAD) ? loadOf(full, values.soak) : undefined,
    result: values.result ?? (values.soak ? SOAK_RESULT : undefined),
    skipped: everything ? notYet : {},
  };
}

function loadOf(full: boolean, soak: boolean): LoadPlan {
  if (!full) return SMALL_LOAD;
  return soak ? { ...WHOLE_LOAD, seconds: SOAK_SECONDS, timeoutMs: 2_000 * SOAK_SECONDS } : WHOLE_LOAD;
}

function repeatOf(text: string | undefined, otherwise: number): number {
  if (text === undefined) return otherwise;
  const repeat = Number(text);
  if (!Number.isInteger(repeat) || repeat < 1) throw new Error(`--repeat ${text}: expected a whole number from 1 on`);
  return repeat;
}
