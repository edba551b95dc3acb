/** What an Envoy of the mesh is started with: who it is, and where the agent is that tells it everything else. */
import {
  bootstrap as bootstrapPackage,
  core,
  create,
  grpcCredential,
  type JsonObject,
  messageToJson,
  pack,
} from '@meshrelay/envoy-api';
import { address, fromAgent } from './translate/messages.ts';

/** An Envoy, and its agent. */
export interface BootstrapOptions {
  /** The name of the controller of its pod. */
  readonly workload: string;
  readonly namespace: string;
  /** `host:port` of the agent's Service, by a name that the agent's certificate has. */
  readonly agent: string;
  /** Path of the file with a token of its ServiceAccount, which is read anew for each stream. */
  readonly tokenFile: string;
  /** Path of the file with the roots that the agent's certificate is from. */
  readonly rootsFile: string;
}

const STAT_PREFIX = 'agent';
const ADMIN_PORT = 15000;
const FILE_CREDENTIALS = 'envoy.grpc_credentials.file_based_metadata';

/** The bootstrap as data; YAML or JSON of it is what Envoy reads. */
export function bootstrap({ workload, namespace, agent, tokenFile, rootsFile }: BootstrapOptions): JsonObject {
  const message = create(bootstrapPackage.BootstrapSchema, {
    node: {
      id: `${workload}.${namespace}`,
      cluster: workload,
      metadata: { workload, namespace },
    },
    admin: { address: address('127.0.0.1', ADMIN_PORT) },
    dynamicResources: {
      adsConfig: {
        apiType: core.ApiConfigSource_ApiType.DELTA_GRPC,
        transportApiVersion: core.ApiVersion.V3,
        // It is 60 KB, and nothing of it changes.
        setNodeOnFirstMessageOnly: true,
        grpcServices: [agentService(agent, tokenFile, rootsFile)],
      },
      cdsConfig: fromAgent(),
      ldsConfig: fromAgent(),
    },
  });
  return messageToJson(bootstrapPackage.BootstrapSchema, message);
}

/** Google's client, since it reads the token from its file whenever it is asked for. */
function agentService(agent: string, tokenFile: string, rootsFile: string): core.GrpcService {
  return create(core.GrpcServiceSchema, {
    targetSpecifier: {
      case: 'googleGrpc',
      value: {
        targetUri: agent,
        statPrefix: STAT_PREFIX,
        credentialsFactoryName: FILE_CREDENTIALS,
        channelCredentials: {
          credentialSpecifier: {
            case: 'sslCredentials',
            value: { rootCerts: { specifier: { case: 'filename', value: rootsFile } } },
          },
        },
        callCredentials: [
          {
            credentialSpecifier: {
              case: 'fromPlugin',
              value: {
                name: FILE_CREDENTIALS,
                configType: {
                  case: 'typedConfig',
                  value: pack(grpcCredential.FileBasedMetadataConfigSchema, {
                    secretData: { specifier: { case: 'filename', value: tokenFile } },
                    headerKey: 'authorization',
                    headerPrefix: 'Bearer ',
                  }),
                },
              },
            },
          },
        ],
      },
    },
  });
}
