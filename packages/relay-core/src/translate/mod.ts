/** The translate stage: from views to the objects that plugins propose. */
export { sourcePoliciesOf } from './attempts.ts';
export { desiredKey } from './desired-key.ts';
export type { OutputHead, PackedOutput } from './packed-output.ts';
export { type PackedProposal, type ProposalBody, type Proposing, proposalsOf } from './packed-proposal.ts';
export type { PatchProposal } from './patch-proposal.ts';
export { record } from './recorder.ts';
export { assemble, type Contributed, type Translated, translate } from './translate.ts';
export type { ViewOrigin } from './view-origin.ts';
export {
  DESTINATION_STAGE,
  ENDPOINTS_STAGE,
  FEDERATED_DESTINATION_STAGE,
  MESH_STAGE,
  stagedViews,
  VIRTUAL_DESTINATION_STAGE,
  type ViewStage,
  WORKLOAD_EXTENSIONS_STAGE,
} from './view-stages.ts';
