/** How one kind is created: its questions, which are its flags, and the spec that follows from the answers. */
import type { KnownFleet } from '../describe/known-fleet.ts';
import type { Asker } from './asker.ts';
import type { CreatedKind } from './field-problem.ts';
import type { Check } from './values.ts';

export interface Authoring<Answers> {
  readonly kind: CreatedKind;
  /** The checks of answers that are values of a field. */
  readonly values: { readonly [Question in keyof Answers]?: Check };
  /** The flags of the questions that must be answered and are not, such as `--mesh NAME`. */
  missing(answers: Answers): readonly string[];
  /** Why the answers do not go together. */
  problem(answers: Answers): string | undefined;
  /** Asks the questions that are not answered. */
  ask(answers: Answers, fleet: KnownFleet, asker: Asker): Promise<Partial<Answers>>;
  /**
   * The spec, without fields that were not answered.
   * @throws InputError for a name that the fleet does not have
   */
  spec(answers: Answers, place: Place): object;
}

export interface Place {
  readonly fleet: KnownFleet;
  /** The namespace of the server. */
  readonly namespace: string;
}
