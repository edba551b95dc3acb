/** Prints which policies made an object. */
import process from 'node:process';
import { type ExplainAnswer, type ExplainDocument, explain } from '@meshrelay/relay-core';
import { type ServerOptions, serverChoice } from '../commands/options.ts';
import { fleetFrom } from '../offline/fleet-from.ts';
import type { FleetOptions } from '../offline/fleet-options.ts';
import { format, type OutputFormat } from '../output/format.ts';
import { InputError } from '../problem.ts';
import { explainText } from './explain-text.ts';
import { explainByServer } from './server.ts';

export interface ExplainOptions extends FleetOptions, ServerOptions {
  readonly output: OutputFormat;
}

export async function printExplanation(object: string, options: ExplainOptions): Promise<void> {
  const answer =
    options.cluster.length === 0
      ? await explainByServer(serverChoice(options), object)
      : explain(await fleetFrom(options), object);
  const document = documentOf(answer);
  process.stdout.write(options.output === 'table' ? explainText(document) : format(document, options.output));
}

function documentOf(answer: ExplainAnswer): ExplainDocument {
  if ('problem' in answer) throw new InputError(answer.message);
  return answer.document;
}
