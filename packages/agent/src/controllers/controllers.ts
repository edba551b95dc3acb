/** Everything an agent does, and which of its replicas does it. In the order in which it starts; it ends in the opposite one. */
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
  /** Begins; disposing of what it gives ends it. */
  start(context: Context): AsyncDisposable | Promise<AsyncDisposable>;
}

/** `every` replica, all the time. */
export type ReplicaController = ControllerOf<'everyReplica', AgentContext>;
/** The `leader`, for one term. */
export type LeaderController<Context = LeaderContext> = ControllerOf<'leader', Context>;
/** The leader's, where there is no agent: a server does them for a cluster that it reaches itself. */
export type MemberController = LeaderController<Leading<MemberContext>>;
export type Controller = ReplicaController | LeaderController;

/** Before the streams begin. */
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

/** @param transport lays the road to the server that the streams take */
export function memberControllers(transport: MemberController): readonly MemberController[] {
  return [...work, transport, relayController];
}
