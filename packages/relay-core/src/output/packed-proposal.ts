/** A proposed output, packed. */
import type { Diagnostic } from '../resolve/diagnostic.ts';
import type { OutputBody, PackedOutput } from './packed-output.ts';
import type { ViewOrigin } from './view-origin.ts';

/** The packed form of a proposal. */
export type PackedProposal = PackedOutput<ProposalBody>;

export interface ProposalBody extends OutputBody, ViewOrigin {
  readonly target: Diagnostic['target'];
}
