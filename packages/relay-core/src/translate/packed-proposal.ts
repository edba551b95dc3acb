/** A proposed output, packed. */
import type { Diagnostic } from '../resolve/mod.ts';
import type { OutputBody, PackedOutput } from './packed-output.ts';
import type { ViewOrigin } from './view-origin.ts';

/** The packed form of a proposal. */
export type PackedProposal = PackedOutput<ProposalBody>;

export interface ProposalBody extends OutputBody, ViewOrigin {
  readonly target: Diagnostic['target'];
}

/** A source of proposals: the translation of a view, or an object assembled from contributions. */
export type Proposing = readonly PackedProposal[] | { readonly proposals: readonly PackedProposal[] };

export function proposalsOf(proposing: Proposing): readonly PackedProposal[] {
  return 'proposals' in proposing ? proposing.proposals : proposing;
}
