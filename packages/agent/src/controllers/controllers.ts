/** All controllers of an agent, and the replica that runs each. They start in this order and end in reverse order. */
import { certificatesController } from './certificates-controller.ts';
import type { AgentContext, LeaderContext, Leading, MemberContext } from './context.ts';
import { dataPlaneController } from './data-plane-controller.ts';
import { envoyAnswersController } from './envoy-answers-controller.ts';
import { envoyRootsController } from './envoy-roots-controller.ts';
import { healthController, statsController } from './http-controllers.ts';
import { identityController } from './identity-controller.ts';
import { inputsController } from './inputs-controller.ts';
import { inventoryController } from './inventory-controller.ts';
import { ledgerController } from './ledger-controller.ts';
import { observeController } from './observe-controller.ts';
import { outputsController } from './outputs-controller.ts';
import { peersController } from './peers-controller.ts';
import { relayController } from './relay-controller.ts';
import { workloadCaController } from './workload-ca-controller.ts';
import { workloadRootsController } from './workload-roots-controller.ts';

interface ControllerOf<Who extends string, Context> {
  readonly name: string;
  readonly runsOn: Who;
  /** Starts the controller; disposing of the result stops it. */
  start(context: Context): AsyncDisposable | Promise<AsyncDisposable>;
}

/** Runs on every replica, all the time. */
export type ReplicaController = ControllerOf<'everyReplica', AgentContext>;
/** Runs on the leader, for one term. */
export type LeaderController<Context = LeaderContext> = ControllerOf<'leader', Context>;
/** Controllers of the leader that work without an agent: a server runs them for a cluster that it reaches itself. */
export type MemberController = LeaderController<Leading<MemberContext>>;
export type Controller = ReplicaController | LeaderController;

/** Start before the streams. */
const work: readonly MemberController[] = [
  ledgerController,
  inventoryController,
  certificatesController,
  inputsController,
  outputsController,
];

export const controllers: readonly Controller[] = [
  healthController,
  statsController,
  workloadCaController,
  dataPlaneController,
  peersController,
  envoyRootsController,
  ...work,
  observeController,
  envoyAnswersController,
  workloadRootsController,
  identityController,
  relayController,
];

/** @param transport starts the transport to the server that the streams use */
export function memberControllers(transport: MemberController): readonly MemberController[] {
  return [...work, transport, relayController];
}
